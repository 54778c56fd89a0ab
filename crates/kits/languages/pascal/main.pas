{ Plays {{ title }}: reads, lets the bot choose, and answers. }
program main;
{$mode objfpc}{$H+}

uses SysUtils, protocol, bot;

var
  Game: TGame;
begin
  Game := TGame.Create(GetEnvironmentVariable('PALESTRA_PACKETS'));
  Game.ReadStart;
  while Game.ReadTurn do
  begin
    Write(TextOf(Choose(Game)));
    Flush(Output);
  end;
end.
