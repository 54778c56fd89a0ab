{ Your bot. This one takes whatever it can beat, otherwise it marches to the front. Make it better! }
unit bot;
{$mode objfpc}{$H+}

interface

uses protocol;

{ The answer to a turn: Rest, MoveAll(...) or MoveHalf(...). Cells are counted from 0 here, row by row. }
function Choose(Game: TGame): TAnswer;

implementation

{ A hidden cell that looks like a city may as well be a mountain. }
function Blocked(Game: TGame; const Cell: TCell): Boolean;
begin
  Result := (Cell.Kind = MOUNTAIN) or (not Cell.Visible and (Cell.Kind = CITY));
end;

{ Capitals first, then what belongs to somebody, then cities, then land. }
function Worth(const Cell: TCell): LongInt;
begin
  if Cell.Kind = CAPITAL then Result := 1000000
  else if Cell.Owner <> 0 then Result := 3000
  else if Cell.Kind = CITY then Result := 2000
  else Result := 1000;
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
  Result := Rest;
  BestValue := 0;
  for Here := 0 to High(Game.Cells) do
    if (Game.Cells[Here].Owner = Game.Me) and (Game.Cells[Here].Units >= 2) then
      for There in Neighbours(Game, Here) do
      begin
        Target := Game.Cells[There];
        Value := 0;
        if Blocked(Game, Target) then Continue;
        if Target.Owner = Game.Me then
        begin
          { Nothing to take here: march, the largest army first. }
          if Steps[There] < Steps[Here] then Value := Game.Cells[Here].Units;
        end
        else if Target.Units < Game.Cells[Here].Units - 1 then
          Value := Game.Cells[Here].Units + Worth(Target);
        if Value > BestValue then
        begin
          BestValue := Value;
          Result := MoveAll(Here div Game.Columns + 1, Here mod Game.Columns + 1,
            There div Game.Columns + 1, There mod Game.Columns + 1);
        end;
      end;
end;

end.
