# Reads and writes the protocol of {{ title }} for the bot. There is nothing to change here: bot.rb is yours.
{% set calls = {"flag": "flag", "int": "number", "long": "number", "word": "word"} %}
{% set initial = {"flag": "false", "int": "0", "long": "0", "word": "''"} %}

{% for c in constants %}
{{ c.name }} = {% if c.is_word %}'{{ c.value }}'{% else %}{{ c.value }}{% endif %}

{% endfor %}
{% for list in lists if list.record %}

{% for f in list.fields %}
# {{ f.name }}: {{ f.about }}
{% endfor %}
{{ list.record | pascal }} = Struct.new({% for f in list.fields %}:{{ f.name }}{{ ", " if not loop.last }}{% endfor %})
{% endfor %}
{% macro run(steps) %}
{% for s in steps %}
{% if s.step == "expect" %}
    expect '{{ s.word }}'
{% elif s.step == "over-when" %}
    word = self.word
    return false if ['', '{{ s.word }}'].include?(word)
{% elif s.step == "over-otherwise" %}
    return false if word != '{{ s.word }}'
{% elif s.step == "field" %}
    @{{ s.field.name }} = {% if s.taken %}Integer(word){% else %}{{ calls[s.field.kind] }}{% endif %}

{% elif s.list.record %}
    @{{ s.list.name }} = Array.new({% for t in s.list.times %}@{{ t }}{{ " * " if not loop.last }}{% endfor %}) do
      one = {{ s.list.record | pascal }}.new
{% for f in s.list.fields %}
{% if f.only %}
      one.{{ f.name }} = {% for c in f.only %}one.{{ c.name }}{% if c.operator %} {{ c.operator }} {{ c.value }}{% endif %}{{ " && " if not loop.last }}{% endfor %} ? {{ calls[f.kind] }} : {{ initial[f.kind] }}
{% else %}
      one.{{ f.name }} = {{ calls[f.kind] }}
{% endif %}
{% endfor %}
      one
    end
{% else %}
    @{{ s.list.name }} = Array.new({% for t in s.list.times %}@{{ t }}{{ " * " if not loop.last }}{% endfor %}) { {{ calls[s.list.fields[0].kind] }} }
{% endif %}
{% endfor %}
{% endmacro %}

# Everything that the bot was told.
class Game
{% for f in fields %}
  # {{ f.about }}
  attr_reader :{{ f.name }}
{% endfor %}
{% for list in lists %}
  # {{ list.about }}
  attr_reader :{{ list.name }}
{% endfor %}

  # Begins to read a file, or standard input without one.
  def initialize(file = nil)
    @file = file ? File.open(file) : $stdin
    @words = []
  end

  # Reads what comes before the first turn.
  def read_start
{{ run(start) -}}
{{ "  end" }}

  # Reads what comes before a turn; false when the game is over.
  def read_turn
{{ run(turn) -}}
{{ "    true" }}
  end

  private

  # The next word; an empty one at the end.
  def word
    while @words.empty?
      line = @file.gets or return ''
      @words = line.split
    end
    @words.shift
  end

  def number
    Integer(word)
  end

  def flag
    word == '1'
  end

  def expect(wanted)
    found = word
    raise "#{wanted} is expected, not #{found}" if found != wanted
  end
end

# An answer as it is sent.
def text_of(answer)
{% if form == "one" %}
  "#{answer}\n"
{% elif form == "counted" %}
  [answer.size, *answer].map { |line| "#{line}\n" }.join
{% else %}
  [*answer, '{{ end }}'].map { |line| "#{line}\n" }.join
{% endif %}
end
{% for a in answers %}

# {{ a.about }}
def {{ a.name }}{% if a.parameters %}({% for p in a.parameters %}{{ p.name }}{{ ", " if not loop.last }}{% endfor %}){% endif %}

  "{{ a.parts | filled("#{", "}") }}"
end
{% endfor %}
{% if grid %}

# The cells beside one. Cells are counted from 0 here, row by row.
def neighbours(game, cell)
  found = []
  found << cell - game.{{ grid.width }} if cell >= game.{{ grid.width }}
  found << cell + game.{{ grid.width }} if cell + game.{{ grid.width }} < game.{{ grid.list }}.size
  found << cell - 1 if (cell % game.{{ grid.width }}).positive?
  found << cell + 1 if cell % game.{{ grid.width }} + 1 < game.{{ grid.width }}
  found
end

# For every cell, how many steps it is to the nearest goal around what is blocked, or -1: a breadth-first search.
def steps_to(game, goal, blocked)
  steps = game.{{ grid.list }}.map { |cell| goal.call(cell) && !blocked.call(cell) ? 0 : -1 }
  queue = steps.each_index.select { |cell| steps[cell].zero? }
  queue.each do |cell|
    neighbours(game, cell).each do |other|
      next if steps[other] >= 0 || blocked.call(game.{{ grid.list }}[other])

      steps[other] = steps[cell] + 1
      queue << other
    end
  end
  steps
end
{% endif %}
