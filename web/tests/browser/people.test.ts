/** Two people play each other. What a person does in a game is tested in the game's own folder. */

import { gameThat } from './games';
import { Sitting, expect, test } from './hands';
import { PHONE, Visitor } from './stand';

const { game, map = '' } = gameThat(({ fog, map }) => fog && map);
const sitting = new Sitting();

test('two people play each other, each through the eyes of one seat', async () => {
  const first = await sitting.sit(1, game, 'human', 'human', '--map', map);
  const second = await Visitor.come(sitting.browser, PHONE);
  await second.open(sitting.palestra?.address('play seat 2') ?? '');
  await first.press('Space');
  await second.at(1);
  await second.page.getByTestId('end-turn').click();
  await first.at(2);
  // The other seats and the spectators' are closed until it is over.
  const spectator = await Visitor.come(sitting.browser);
  const address = new URL(sitting.palestra?.address('play seat 1') ?? '');
  await spectator.page.goto(address.origin + address.pathname);
  await spectator.page.getByText(/people are playing this match/i).waitFor();
  await spectator.leave();

  await second.page.getByTestId('resign').click();
  await second.page.getByTestId('resign-yes').click();
  await first.press('Space');
  await first.page.getByTestId('result').getByText('You won').waitFor();
  await second.page.getByTestId('result').getByText('gave up').waitFor();
  await first.page.getByTestId('watch').click();
  await first.page.waitForURL((url) => !url.search.includes('key='));
  await first.drawn();
  expect(first.complained()).toEqual([]);
  expect(second.complained()).toEqual([]);
  await first.leave();
  await second.leave();
});
