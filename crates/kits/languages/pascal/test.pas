{ Lets the bot answer every turn of the match in packets.txt. }
program test;
{$mode objfpc}{$H+}

uses SysUtils, protocol, bot;

var
  Game: TGame;
  Turns: LongInt = 0;
begin
  Game := TGame.Create('packets.txt');
  Game.ReadStart;
  while Game.ReadTurn do
  begin
    Inc(Turns);
    if TextOf(Choose(Game)) = '' then raise Exception.Create('no answer in turn ' + IntToStr(Turns));
  end;
  if Turns <> {{ turns }} then raise Exception.Create(IntToStr(Turns) + ' turns, not {{ turns }}');
  WriteLn('all ', Turns, ' turns are answered');
end.
