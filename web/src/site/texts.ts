/** Texts of the organisers in the language of the page, where the plan has them in several. */

import type { EventView, RoundDetail, RoundView } from './api';

type Translations = Record<string, string | undefined>;

const text = (code: string, plain: string, translations: Translations = {}): string =>
  translations[code] ?? plain;

export const roundIn = (code: string, round: RoundView): RoundView => ({
  ...round,
  name: text(code, round.name, round.name_in),
});

export const eventIn = (code: string, event: EventView): EventView => ({
  ...event,
  name: text(code, event.name, event.name_in),
  about: text(code, event.about, event.about_in),
  rounds: event.rounds.map((round) => roundIn(code, round)),
});

/** A round that is its own only stage has the name of that. */
export const detailIn = (code: string, detail: RoundDetail): RoundDetail => ({
  ...detail,
  round: roundIn(code, detail.round),
  stages: detail.stages.map((stage, index) => ({
    ...stage,
    name: text(
      code,
      stage.name,
      detail.round.stages_in[index] ?? (stage.name === detail.round.name ? detail.round.name_in : {}),
    ),
  })),
});
