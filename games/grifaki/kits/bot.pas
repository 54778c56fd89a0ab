{ Your bot. This one takes whatever it can beat, otherwise it marches to the front. Make it better! }
unit bot;
{$mode objfpc}{$H+}

interface

uses protocol;

{ The answer to a turn: Nothing, MoveArmy(...), BuildWall(...) or BuildCity(...). Cells are counted from 0 here, row by row. }
function Choose(Game: TGame): TAnswer;

implementation

{ A hidden cell that is no plain looks like a mountain. }
function Blocked(Game: TGame; const Cell: TCell): Boolean;
begin
  Result := Cell.Kind = MOUNTAIN;
end;

{ Capitals first, then cities, then what belongs to somebody, then land. }
function Worth(const Cell: TCell): LongInt;
begin
  if Cell.Kind = CAPITAL then Result := 1000000
  else if Cell.Kind <> PLAIN then Result := 300000
  else if Cell.Owner <> 0 then Result := 20000
  else Result := 10000;
end;

{ Ten times the strength of who is there: behind a wall it is 1.3 times as much. }
function Strength(const Cell: TCell): Int64;
begin
  if Cell.Wall then Result := Cell.Army * 13 else Result := Cell.Army * 10;
end;

{ Wherever there is something to take. }
function Front(Game: TGame; const Cell: TCell): Boolean;
begin
  Result := Cell.Owner <> Game.Me;
end;

function Choose(Game: TGame): TAnswer;
var
  Steps: TNumbers;
  Here, There: LongInt;
  Target: TCell;
  Value, BestValue: Int64;
begin
  Steps := StepsTo(Game, @Front, @Blocked);
  Result := Nothing;
  BestValue := 0;
  for Here := 0 to High(Game.Cells) do
    if (Game.Cells[Here].Owner = Game.Me) and (Game.Cells[Here].Army >= 2) then
      for There in Neighbours(Game, Here) do
      begin
        Target := Game.Cells[There];
        Value := 0;
        if Blocked(Game, Target) then Continue;
        if Target.Owner = Game.Me then
        begin
          { Nothing to take here: march, the largest army first. }
          if Steps[There] < Steps[Here] then Value := Game.Cells[Here].Army;
        end
        else if Strength(Target) <= 10 * (Game.Cells[Here].Army - 2) then
          Value := Game.Cells[Here].Army + Worth(Target);
        if Value > BestValue then
        begin
          BestValue := Value;
          Result := MoveArmy(Here div Game.Width, Here mod Game.Width,
            There div Game.Width, There mod Game.Width, Game.Cells[Here].Army - 1);
        end;
      end;
end;

end.
