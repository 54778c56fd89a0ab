{ Reads and writes the protocol of {{ title }} for the bot. There is nothing to change here: bot.pas is yours. }
unit protocol;
{$mode objfpc}{$H+}

interface
{% set types = {"flag": "Boolean", "int": "LongInt", "long": "Int64", "word": "String"} %}
{% set calls = {"flag": "ReadFlag", "int": "ReadNumber", "long": "ReadNumber", "word": "ReadWord"} %}
{% set operators = {"==": "=", "!=": "<>"} %}
{% if constants %}

const
{% for c in constants %}
  {{ c.name }} = {% if c.is_word %}'{{ c.value }}'{% else %}{{ c.value }}{% endif %};
{% endfor %}
{% endif %}

type
{% for list in lists if list.record %}
  T{{ list.record | pascal }} = record
{% for f in list.fields %}
    {{ f.name | pascal }}: {{ types[f.kind] }};  // {{ f.about }}
{% endfor %}
  end;

{% endfor %}
  { A line of an answer. }
  TAnswer = String;
  TAnswers = array of TAnswer;

  { Everything that the bot was told. }
  TGame = class
    Source: Text;
{% for f in fields %}
    {{ f.name | pascal }}: {{ types[f.kind] }};  // {{ f.about }}
{% endfor %}
{% for list in lists %}
    {{ list.name | pascal }}: array of {% if list.record %}T{{ list.record | pascal }}{% else %}{{ types[list.fields[0].kind] }}{% endif %};  // {{ list.about }}
{% endfor %}
    { Begins to read a file, or standard input if the name is empty. }
    constructor Create(const FileName: String);
    { Reads what comes before the first turn. }
    procedure ReadStart;
    { Reads what comes before a turn; false when the game is over. }
    function ReadTurn: Boolean;
  private
    function ReadWord: String;
    function ReadNumber: Int64;
    function ReadFlag: Boolean;
    procedure Expect(const Wanted: String);
  end;

{% if grid %}
  TNumbers = array of LongInt;
  { What may be asked of a cell. }
  TTest = function(Game: TGame; const Cell: T{{ grid.record | pascal }}): Boolean;

{ The cells beside one. Cells are counted from 0 here, row by row. }
function Neighbours(Game: TGame; Cell: LongInt): TNumbers;
{ For every cell, how many steps it is to the nearest goal around what is blocked, or -1: a breadth-first search. }
function StepsTo(Game: TGame; Goal, Blocked: TTest): TNumbers;

{% endif %}
{ An answer as it is sent. }
function TextOf(const Answer: {{ "TAnswer" if form == "one" else "TAnswers" }}): String;
{% for a in answers %}
{ {{ a.about }} }
function {{ a.name | pascal }}{% if a.parameters %}({% for p in a.parameters %}{{ p.name | pascal }}: {{ types[p.kind] }}{{ "; " if not loop.last }}{% endfor %}){% endif %}: TAnswer;
{% endfor %}

implementation

uses SysUtils;
{% macro run(steps) %}
{% for s in steps %}
{% if s.step == "expect" %}
  Expect('{{ s.word }}');
{% elif s.step == "over-when" %}
  Next := ReadWord;
  if (Next = '') or (Next = '{{ s.word }}') then Exit(False);
{% elif s.step == "over-otherwise" %}
  if ReadWord <> '{{ s.word }}' then Exit(False);
{% elif s.step == "field" %}
  {{ s.field.name | pascal }} := {% if s.taken %}StrToInt(Next){% else %}{{ calls[s.field.kind] }}{% endif %};
{% else %}
  SetLength({{ s.list.name | pascal }}, 0);
  SetLength({{ s.list.name | pascal }}, {% for t in s.list.times %}{{ t | pascal }}{{ " * " if not loop.last }}{% endfor %});
  for I := 0 to High({{ s.list.name | pascal }}) do
{% if s.list.record %}
    with {{ s.list.name | pascal }}[I] do
    begin
{% for f in s.list.fields %}
      {% if f.only %}if {% for c in f.only %}{% if c.operator %}({{ c.name | pascal }} {{ operators[c.operator] }} {{ c.value }}){% else %}{{ c.name | pascal }}{% endif %}{{ " and " if not loop.last }}{% endfor %} then {% endif %}{{ f.name | pascal }} := {{ calls[f.kind] }};
{% endfor %}
    end;
{% else %}
    {{ s.list.name | pascal }}[I] := {{ calls[s.list.fields[0].kind] }};
{% endif %}
{% endif %}
{% endfor %}
{% endmacro %}

constructor TGame.Create(const FileName: String);
begin
  { The name of standard input is empty. }
  Assign(Source, FileName);
  Reset(Source);
end;

procedure TGame.ReadStart;
var
  I: LongInt;
begin
  I := 0;
{{ run(start) -}}
{{ "end;" }}

function TGame.ReadTurn: Boolean;
var
  I: LongInt;
  Next: String;
begin
  I := 0;
  Next := '';
{{ run(turn) -}}
{{ "  Result := True;" }}
end;

{ The next word; an empty one at the end. }
function TGame.ReadWord: String;
var
  C: Char;
begin
  Result := '';
  while not Eof(Source) do
  begin
    Read(Source, C);
    if C > ' ' then
      Result := Result + C
    else if Result <> '' then
      Exit;
  end;
end;

function TGame.ReadNumber: Int64;
begin
  Result := StrToInt64(ReadWord);
end;

function TGame.ReadFlag: Boolean;
begin
  Result := ReadWord = '1';
end;

procedure TGame.Expect(const Wanted: String);
var
  Found: String;
begin
  Found := ReadWord;
  if Found <> Wanted then raise Exception.Create(Wanted + ' is expected, not ' + Found);
end;

{% if form == "one" %}
function TextOf(const Answer: TAnswer): String;
begin
  Result := Answer + #10;
end;
{% else %}
function TextOf(const Answer: TAnswers): String;
var
  Line: TAnswer;
begin
  Result := {% if form == "counted" %}IntToStr(Length(Answer)) + #10{% else %}''{% endif %};
  for Line in Answer do Result := Result + Line + #10;
{% if form == "ended" %}
  Result := Result + '{{ end }}' + #10;
{% endif %}
end;
{% endif %}
{% for a in answers %}

function {{ a.name | pascal }}{% if a.parameters %}({% for p in a.parameters %}{{ p.name | pascal }}: {{ types[p.kind] }}{{ "; " if not loop.last }}{% endfor %}){% endif %}: TAnswer;
begin
{% if a.parameters %}
  Result := Format('{% for part in a.parts %}{% if part.fixed is defined %}{{ part.fixed }}{% else %}{% for p in a.parameters if p.name == part.named %}{{ "%s" if p.kind == "word" else "%d" }}{% endfor %}{% endif %}{{ " " if not loop.last }}{% endfor %}', [{% for p in a.parameters %}{{ p.name | pascal }}{{ ", " if not loop.last }}{% endfor %}]);
{% else %}
  Result := '{{ a.parts | filled("", "") }}';
{% endif %}
end;
{% endfor %}
{% if grid %}
{% set cells = grid.list | pascal %}
{% set width = grid.width | pascal %}

function Neighbours(Game: TGame; Cell: LongInt): TNumbers;
begin
  Result := nil;
  if Cell >= Game.{{ width }} then Insert(Cell - Game.{{ width }}, Result, Length(Result));
  if Cell + Game.{{ width }} < Length(Game.{{ cells }}) then Insert(Cell + Game.{{ width }}, Result, Length(Result));
  if Cell mod Game.{{ width }} > 0 then Insert(Cell - 1, Result, Length(Result));
  if Cell mod Game.{{ width }} + 1 < Game.{{ width }} then Insert(Cell + 1, Result, Length(Result));
end;

function StepsTo(Game: TGame; Goal, Blocked: TTest): TNumbers;
var
  Queue: TNumbers = nil;
  Cell, Other, At, Last: LongInt;
begin
  Result := nil;
  SetLength(Result, Length(Game.{{ cells }}));
  SetLength(Queue, Length(Game.{{ cells }}));
  Last := 0;
  for Cell := 0 to High(Result) do
  begin
    Result[Cell] := -1;
    if Goal(Game, Game.{{ cells }}[Cell]) and not Blocked(Game, Game.{{ cells }}[Cell]) then
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
      if (Result[Other] < 0) and not Blocked(Game, Game.{{ cells }}[Other]) then
      begin
        Result[Other] := Result[Queue[At]] + 1;
        Queue[Last] := Other;
        Inc(Last);
      end;
    Inc(At);
  end;
end;
{% endif %}

end.
