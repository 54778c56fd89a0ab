{ Your bot. This one sends every unit to the nearest base, and then to the enemy's factory. Make it better! }
unit bot;
{$mode objfpc}{$H+}

interface

uses protocol;

{ The lines of an answer: Step(Id, Direction) and Produce(Kind). }
function Choose(Game: TGame): TAnswers;

implementation

uses Math;

const
  LAST = 19;       { your factory is at (0, 0), the enemy's at (LAST, LAST) }
  KINDS = 'RPS';   { each beats the one before it }

function Beats(const Kind, Other: String): Boolean;
begin
  Result := Pos(Kind, KINDS) = Pos(Other, KINDS) mod 3 + 1;
end;

{ Whether nobody is there but an enemy that it beats. }
function IsFree(Game: TGame; const Soldier: TSoldier; X, Y: LongInt): Boolean;
var
  Other: TSoldier;
begin
  for Other in Game.Soldiers do
    if (Other.X = X) and (Other.Y = Y) then
      Exit((Other.Side <> ALLY) and Beats(Soldier.Kind, Other.Kind));
  Result := True;
end;

{ Finds the nearest of the enemy's factory and the bases that are not ours. }
procedure FindGoal(Game: TGame; const Soldier: TSoldier; out X, Y: LongInt);

  procedure Consider(OtherX, OtherY: LongInt);
  begin
    if Abs(OtherX - Soldier.X) + Abs(OtherY - Soldier.Y) < Abs(X - Soldier.X) + Abs(Y - Soldier.Y) then
    begin
      X := OtherX;
      Y := OtherY;
    end;
  end;

begin
  X := LAST;
  Y := LAST;
  if Game.BaseR <> ALLY then Consider(LAST, 0);
  if Game.BaseD <> ALLY then Consider(0, LAST);
end;

procedure Add(var Lines: TAnswers; const Line: TAnswer);
begin
  Insert(Line, Lines, Length(Lines));
end;

function Choose(Game: TGame): TAnswers;
var
  I, X, Y, DX, DY, Allies: LongInt;
begin
  Result := nil;
  Allies := 0;
  for I := 0 to High(Game.Soldiers) do
    if Game.Soldiers[I].Side = ALLY then Inc(Allies);
  Add(Result, Produce(KINDS[Allies mod 3 + 1]));
  for I := 0 to High(Game.Soldiers) do
  begin
    if Game.Soldiers[I].Side <> ALLY then Continue;
    FindGoal(Game, Game.Soldiers[I], X, Y);
    DX := Sign(X - Game.Soldiers[I].X);
    DY := Sign(Y - Game.Soldiers[I].Y);
    X := Game.Soldiers[I].X;
    Y := Game.Soldiers[I].Y;
    if (DX <> 0) and IsFree(Game, Game.Soldiers[I], X + DX, Y) then
    begin
      if DX > 0 then Add(Result, Step(Game.Soldiers[I].Id, RIGHT)) else Add(Result, Step(Game.Soldiers[I].Id, LEFT));
      Game.Soldiers[I].X := X + DX;
    end
    else if (DY <> 0) and IsFree(Game, Game.Soldiers[I], X, Y + DY) then
    begin
      if DY > 0 then Add(Result, Step(Game.Soldiers[I].Id, DOWN)) else Add(Result, Step(Game.Soldiers[I].Id, UP));
      Game.Soldiers[I].Y := Y + DY;
    end;
  end;
end;

end.
