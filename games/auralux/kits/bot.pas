{ Your bot. This one raises its planets, then attacks the nearest weak one. Make it better! }
unit bot;
{$mode objfpc}{$H+}

interface

uses protocol;

{ The orders of a turn: SendShips(...), with planets counted from 1. }
function Choose(Game: TGame): TAnswers;

implementation

const
  CaptureCost = 100;
  TopLevel = 3;

{ The planet of somebody else that is best to attack from here, or -1. }
function NearestWeak(Game: TGame; Here: LongInt): LongInt;
var
  There, Cost, BestCost: LongInt;
begin
  Result := -1;
  BestCost := 0;
  for There := 0 to High(Game.Planets) do
    with Game.Planets[There] do
      if Owner <> Game.Me then
      begin
        Cost := Game.Distances[Here * Game.PlanetCount + There] + (Ships + Armor) div 2;
        if (Result < 0) or (Cost < BestCost) then
        begin
          Result := There;
          BestCost := Cost;
        end;
      end;
end;

function Choose(Game: TGame): TAnswers;
var
  Here, Target: LongInt;
begin
  Result := nil;
  for Here := 0 to High(Game.Planets) do
    with Game.Planets[Here] do
    begin
      if (Owner <> Game.Me) or (Ships = 0) then Continue;
      if (Level < TopLevel) or (Armor < 100 * Level) then
      begin
        { Capture, repair or raise. }
        if (Level > 0) or (Ships >= CaptureCost) then
          Insert(SendShips(Here + 1, Here + 1, Ships), Result, Length(Result));
      end
      else if Ships > CaptureCost then
      begin
        Target := NearestWeak(Game, Here);
        if Target >= 0 then Insert(SendShips(Here + 1, Target + 1, Ships), Result, Length(Result));
      end;
    end;
end;

end.
