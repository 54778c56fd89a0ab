/** Sentences with gaps, and words that change with a number. */

/** How something is said of one, of two, of many…: a language uses some of these forms, and always the last. */
export type Forms = { readonly [form in Intl.LDMLPluralRule]?: string } & { readonly other: string };

/** Puts values into the gaps of a sentence: "{name} has won". A gap without a value stays as it is. */
export function fill(sentence: string, values: Record<string, string | number>): string {
  return sentence.replace(/\{(\w+)\}/g, (gap, name: string) => String(values[name] ?? gap));
}

const rules = new Map<string, Intl.PluralRules>();

/** The form for a number in a language; `ordinal` counts places instead of things. */
export function form(
  language: string,
  forms: Forms,
  number: number,
  type: 'cardinal' | 'ordinal' = 'cardinal',
): string {
  const key = `${language} ${type}`;
  let rule = rules.get(key);
  if (!rule) rules.set(key, (rule = new Intl.PluralRules(language, { type })));
  return forms[rule.select(number)] ?? forms.other;
}
