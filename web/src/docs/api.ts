/** The reference of the API, from its own description: a page like the others, whose forms `try.ts` brings to life. */

import type { Code } from '../languages';
import { anchorOf, slugOf, type Page } from './documents';
import { WORDS, type DocsWords } from './words';

interface Schema {
  $ref?: string;
  type?: string | string[];
  enum?: unknown[];
  items?: Schema;
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: Schema | boolean;
  oneOf?: Schema[];
  anyOf?: Schema[];
  allOf?: Schema[];
  description?: string;
}

interface Parameter {
  name: string;
  in: string;
  required?: boolean;
  description?: string;
  schema?: Schema;
}

type Contents = Record<string, { schema?: Schema }>;

interface Operation {
  tags?: string[];
  summary?: string;
  description?: string;
  parameters?: Parameter[];
  requestBody?: { content: Contents };
  responses: Record<string, { description: string; content?: Contents }>;
}

interface Description {
  info: { description?: string };
  paths: Record<string, Record<string, Operation>>;
  components?: { schemas?: Record<string, Schema> };
}

export const METHODS = ['get', 'post', 'put', 'delete'];

/** How deep shapes within shapes are told. */
const DEEPEST = 3;

export const escape = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

/** Text of the description: only code is marked in it. */
const prose = (text: string): string => escape(text).replace(/`([^`]+)`/g, '<code>$1</code>');

class Shapes {
  readonly #schemas: Record<string, Schema>;

  constructor(schemas: Record<string, Schema>) {
    this.#schemas = schemas;
  }

  #open(schema: Schema): Schema {
    const name = schema.$ref?.split('/').at(-1);
    return name === undefined ? schema : (this.#schemas[name] ?? {});
  }

  /** A shape in a few words, or lines. */
  text(schema: Schema | undefined, indent = ''): string {
    if (!schema) return 'anything';
    const opened = this.#open(schema);
    const either = opened.oneOf ?? opened.anyOf;
    if (either) return either.map((one) => this.text(one, indent)).join(' | ');
    if (opened.allOf) return opened.allOf.map((one) => this.text(one, indent)).join(' & ');
    if (opened.enum) return opened.enum.map((value) => JSON.stringify(value)).join(' | ');
    const types = [opened.type ?? 'object'].flat();
    return types.map((type) => this.#one(type, opened, schema, indent)).join(' | ');
  }

  #one(type: string, schema: Schema, named: Schema, indent: string): string {
    if (type === 'array') return `[${this.text(schema.items, indent)}]`;
    if (type !== 'object') return type === 'integer' ? 'number' : type;
    const more = schema.additionalProperties;
    if (!schema.properties) {
      return typeof more === 'object' ? `{ [name]: ${this.text(more, indent)} }` : 'object';
    }
    if (indent.length >= 2 * DEEPEST) return named.$ref?.split('/').at(-1) ?? 'object';
    const inner = `${indent}  `;
    const lines = Object.entries(schema.properties).map(([name, property]) => {
      const needed = schema.required?.includes(name) ?? false;
      const doc = property.description ?? '';
      const first = doc.split('\n')[0] ?? '';
      return `${inner}${name}${needed ? '' : '?'}: ${this.text(property, inner)}${first ? `  // ${first}` : ''}`;
    });
    return `{\n${lines.join('\n')}\n${indent}}`;
  }

  /** A body that can be sent as it is, once the values are one's own. */
  example(schema: Schema | undefined, depth = 0): unknown {
    if (!schema || depth > DEEPEST) return null;
    const opened = this.#open(schema);
    if (opened.enum) return opened.enum[0];
    const first = (opened.oneOf ?? opened.anyOf ?? opened.allOf)?.[0];
    if (first) return this.example(first, depth);
    const type = [opened.type ?? 'object'].flat()[0];
    if (type === 'array') return [];
    if (type === 'string') return '';
    if (type === 'integer' || type === 'number') return 0;
    if (type === 'boolean') return false;
    const needed = Object.entries(opened.properties ?? {}).filter(([name]) =>
      opened.required?.includes(name),
    );
    return Object.fromEntries(needed.map(([name, property]) => [name, this.example(property, depth + 1)]));
  }
}

function form(operation: Operation, shapes: Shapes, words: DocsWords): string {
  const fields = (operation.parameters ?? []).map(
    ({ name, in: place, required }) =>
      `<label><span>${escape(name)}</span><input class="field" name="${escape(name)}" data-in="${escape(place)}"${required ? ' required' : ''}></label>`,
  );
  const body = operation.requestBody?.content['application/json'];
  if (body) {
    const example = JSON.stringify(shapes.example(body.schema), null, 2);
    fields.push(
      `<label><span>${words.body}</span><textarea class="field" name="body" rows="4">${escape(example)}</textarea></label>`,
    );
  }
  return `<form class="try" hidden>${fields.join('')}<button class="button main">${words.send}</button><pre tabindex="0" hidden></pre></form>`;
}

function contents(given: Contents | undefined, shapes: Shapes): string {
  return Object.entries(given ?? {})
    .map(([kind, { schema }]) =>
      kind === 'application/json'
        ? `<pre tabindex="0"><code>${escape(shapes.text(schema))}</code></pre>`
        : `<p><code>${escape(kind)}</code></p>`,
    )
    .join('');
}

/** The page, and what can be found on it. */
export function apiPage(file: string, text: string, language: Code): Page {
  const words = WORDS[language];
  const api = JSON.parse(text) as Description;
  const shapes = new Shapes(api.components?.schemas ?? {});
  const groups = new Map<string, string[]>();
  const page: Page = {
    slug: slugOf(file),
    section: '',
    title: words.api,
    file,
    language,
    html: '',
    headings: [],
    parts: [],
  };
  for (const [path, item] of Object.entries(api.paths)) {
    for (const method of METHODS) {
      const operation = item[method];
      if (!operation) continue;
      const title = `${method.toUpperCase()} ${path}`;
      const anchor = anchorOf(title.replace(/[/{}.]+/g, ' ').trim());
      const about = [operation.summary, operation.description].filter(Boolean).join(' ');
      const parameters = (operation.parameters ?? []).map(
        ({ name, in: place, required, description, schema }) =>
          `<tr><td><code>${escape(name)}</code></td><td>${escape(place)}${required ? `, ${words.needed}` : ''}</td><td>${escape(shapes.text(schema))}</td><td>${prose(description ?? '')}</td></tr>`,
      );
      const good = Object.entries(operation.responses).filter(([status]) => status !== 'default');
      const html = [
        `<details class="operation" id="${anchor}" data-method="${method}" data-path="${escape(path)}">`,
        `<summary><code class="method">${method.toUpperCase()}</code> <code>${escape(path)}</code> <span>${prose(operation.summary ?? '')}</span></summary>`,
        operation.description ? `<p>${prose(operation.description)}</p>` : '',
        parameters.length
          ? `<h3>${words.parameters}</h3><div class="wide"><table><tbody>${parameters.join('')}</tbody></table></div>`
          : '',
        operation.requestBody
          ? `<h3>${words.body}</h3>${contents(operation.requestBody.content, shapes)}`
          : '',
        `<h3>${words.answers}</h3>`,
        ...good.map(
          ([status, answer]) =>
            `<p><code>${status}</code> ${prose(answer.description)}</p>${contents(answer.content, shapes)}`,
        ),
        form(operation, shapes, words),
        '</details>',
      ].join('');
      const tag = operation.tags?.[0] ?? '';
      groups.set(tag, [...(groups.get(tag) ?? []), html]);
      page.parts.push({ anchor, title, text: about });
    }
  }
  const sections = [...groups].map(([tag, operations]) => {
    const anchor = `tag-${anchorOf(tag)}`;
    page.headings.push({ level: 2, text: tag, anchor });
    return `<h2 id="${anchor}">${escape(tag)}</h2>${operations.join('')}`;
  });
  page.html = [
    `<h1>${words.api}</h1><p>${words.apiAbout}</p><p lang="en">${prose(api.info.description ?? '')}</p>`,
    `<p class="try-key" hidden><label><span>${words.key}</span> <input class="field" type="password" autocomplete="off" id="key"></label></p>`,
    `<p class="faint try-not" hidden>${words.notHere}</p>`,
    `<div lang="en">${sections.join('')}</div>`,
  ].join('');
  return page;
}
