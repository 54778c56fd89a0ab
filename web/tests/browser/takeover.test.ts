/** Two servers for one event: the first is killed, and an open page goes on at the second without being touched. */

import { writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { freePort, Postgres } from './postgres';
import { SHORT } from './site';
import { Arena, launch, Scratch, Visitor } from './stand';

test('a page that is open hears of what happens at the server that takes over', async () => {
  const scratch = new Scratch();
  const postgres = await Postgres.start();
  const [browser, port] = [await launch(), await freePort()];
  const plan = `name = "Two servers"\nsite = "127.0.0.1:${port}"\ngateway = false\nsandbox = "off"\n
    memory_by_process = true\ndatabase = "${postgres.address}"\n[[game]]\nid = "${SHORT.game}"\n`;
  // With a folder each.
  for (const name of ['first', 'second']) writeFileSync(scratch.file(`${name}.toml`), plan);
  try {
    const first = await Arena.open(scratch.path, 'first.toml');
    const second = Arena.open(scratch.path, 'second.toml', '--standby');
    const visitor = await Visitor.come(browser);
    const { page } = visitor;
    await page.goto(first.site);
    scratch.palestra('event', 'announce', 'first.toml', 'Pizza at eight');
    await page.getByText('Pizza at eight').waitFor();

    await first.cut();
    const open = await second;
    scratch.palestra('event', 'announce', 'second.toml', 'Coffee at nine');
    await page.getByText('Coffee at nine').waitFor();
    await page.getByText('Pizza at eight').waitFor();
    // For a moment nobody was there; nothing else went wrong.
    expect(
      visitor.complained(
        /ERR_CONNECTION_REFUSED|ERR_INCOMPLETE_CHUNKED_ENCODING|ERR_EMPTY_RESPONSE|ERR_CONNECTION_RESET/,
      ),
    ).toEqual([]);
    await visitor.leave();
    await open.end();
  } finally {
    await browser.close();
    await postgres.end();
    scratch.remove();
  }
});
