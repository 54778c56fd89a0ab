{ Your bot. This one takes whatever it can beat, otherwise it marches to the front. Make it better! }
unit bot;
{$mode objfpc}{$H+}

interface

uses protocol;

{ The answer to a turn: Rest, MoveAll(...) or MoveHalf(...). Cells are counted from 0 here, row by row. }
function Choose(Game: TGame): TAnswer;

implementation

type
  TNumbers = array of LongInt;

function Neighbours(Game: TGame; Cell: LongInt): TNumbers;
begin
  Result := nil;
  if Cell >= Game.Columns then Insert(Cell - Game.Columns, Result, Length(Result));
  if Cell + Game.Columns < Length(Game.Cells) then Insert(Cell + Game.Columns, Result, Length(Result));
  if Cell mod Game.Columns > 0 then Insert(Cell - 1, Result, Length(Result));
  if Cell mod Game.Columns + 1 < Game.Columns then Insert(Cell + 1, Result, Length(Result));
end;

{ A hidden cell that looks like a city may as well be a mountain. }
function Blocked(const Cell: TCell): Boolean;
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

{ For every cell, how many steps it is to the nearest one that is not ours: a breadth-first search. }
function StepsToFront(Game: TGame): TNumbers;
var
  Queue: TNumbers = nil;
  Cell, Other, At, Last: LongInt;
begin
  Result := nil;
  SetLength(Result, Length(Game.Cells));
  SetLength(Queue, Length(Game.Cells));
  Last := 0;
  for Cell := 0 to High(Result) do
  begin
    Result[Cell] := -1;
    if (Game.Cells[Cell].Owner <> Game.Me) and not Blocked(Game.Cells[Cell]) then
    begin
      Result[Cell] := 0;
      Queue[Last] := Cell;
      Inc(Last);
    end;
  end;
  At := 0;
  while At < Last do
  begin
    for Other in Neighbours(Game, Queue[At]) do
      if (Result[Other] < 0) and not Blocked(Game.Cells[Other]) then
      begin
        Result[Other] := Result[Queue[At]] + 1;
        Queue[Last] := Other;
        Inc(Last);
      end;
    Inc(At);
  end;
end;

function Choose(Game: TGame): TAnswer;
var
  Steps: TNumbers;
  Here, There: LongInt;
  Target: TCell;
  Value, BestValue: Int64;
begin
  Steps := StepsToFront(Game);
  Result := Rest;
  BestValue := 0;
  for Here := 0 to High(Game.Cells) do
    if (Game.Cells[Here].Owner = Game.Me) and (Game.Cells[Here].Units >= 2) then
      for There in Neighbours(Game, Here) do
      begin
        Target := Game.Cells[There];
        Value := 0;
        if Blocked(Target) then Continue;
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
