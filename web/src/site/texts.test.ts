import { expect, test } from 'vitest';
import type { EventView, RoundDetail, RoundView, StageView } from './api';
import { detailIn, eventIn } from './texts';

const round = { name: 'Final', name_in: { en: 'Final', ru: 'Финал' }, stages_in: [] } as unknown as RoundView;

test('whoever reads a language of the plan reads it, everybody else the plain text', () => {
  const event = {
    name: 'Cup',
    name_in: { en: 'Cup', hu: 'Kupa' },
    about: 'One text',
    about_in: {},
    rounds: [round],
  } as unknown as EventView;
  const told = (code: string): string[] => {
    const { name, about, rounds } = eventIn(code, event);
    return [name, about, rounds[0]?.name ?? ''];
  };
  expect(told('hu')).toEqual(['Kupa', 'One text', 'Final']);
  expect(told('ru')).toEqual(['Cup', 'One text', 'Финал']);
});

test('stages have names of their own, or that of their round', () => {
  const named = (name: string): StageView => ({ name }) as StageView;
  const alone = { round, stages: [named('Final')] } as unknown as RoundDetail;
  expect(detailIn('ru', alone).stages[0]?.name).toBe('Финал');
  const stages_in = [{ ru: 'Группы' }, {}];
  const several = {
    round: { ...round, stages_in },
    stages: [named('Groups'), named('Semi')],
  } as unknown as RoundDetail;
  expect(detailIn('ru', several).stages.map(({ name }) => name)).toEqual(['Группы', 'Semi']);
});
