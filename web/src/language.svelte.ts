/** The language of a page: by choice, else the browser's. */

import { loadCatalog } from './catalog';
import { type Code, remember, wanted } from './languages';
import { speech } from './speech.svelte';
import { en, type ViewerWords } from './viewer-words/en';

const VIEWER: Record<Code, () => Promise<ViewerWords>> = {
  en: () => Promise.resolve(en),
  ru: async () => (await import('./viewer-words/ru')).ru,
  hu: async () => (await import('./viewer-words/hu')).hu,
};

export class Language {
  code = $state<Code>('en');

  async start(): Promise<void> {
    await this.speak(wanted());
  }

  async choose(code: Code): Promise<void> {
    remember(code);
    await this.speak(code);
  }

  protected async speak(code: Code): Promise<void> {
    const [viewer, catalog] = await Promise.all([VIEWER[code](), loadCatalog(code)]);
    this.code = code;
    document.documentElement.lang = code;
    speech.change(code, viewer, catalog);
  }
}

/** That of the viewer at home. */
export const language = new Language();
