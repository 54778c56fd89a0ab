/** A database server of a test's own. */

import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Postgres refuses to be root. */
const NOBODY = process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : {};

/** Where Debian and others keep the server's programs. */
function program(name: string): string {
  const versions = '/usr/lib/postgresql';
  const folders = existsSync(versions) ? readdirSync(versions).sort() : [];
  const newest = folders.at(-1);
  return newest ? join(versions, newest, 'bin', name) : name;
}

/** A port that nobody has. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

export class Postgres {
  private constructor(
    private readonly server: ChildProcess,
    private readonly folder: string,
    /** Where its first database is. */
    readonly address: string,
  ) {}

  /** Starts one with an empty database, and waits until it answers. */
  static async start(): Promise<Postgres> {
    const folder = mkdtempSync(join(tmpdir(), 'palestra-'));
    const data = join(folder, 'data');
    mkdirSync(data);
    if (NOBODY.uid) for (const path of [folder, data]) chownSync(path, NOBODY.uid, NOBODY.gid);
    const options = { ...NOBODY, cwd: '/', stdio: 'ignore' } as const;
    const trust = ['--auth=trust', '--username=palestra', '--no-sync', '--encoding=UTF8', '--locale=C'];
    execFileSync(program('initdb'), [...trust, '--pgdata', data], options);
    const port = await freePort();
    const address = `postgres://palestra@127.0.0.1:${port}/postgres`;
    const listen = ['-F', '-h', '127.0.0.1', '-p', `${port}`, '-k', folder];
    const server = spawn(program('postgres'), ['-D', data, ...listen], options);
    process.once('exit', () => server.kill('SIGKILL'));
    for (;;) {
      try {
        execFileSync(program('psql'), ['-qX', address, '-c', 'SELECT 1'], options);
        return new Postgres(server, folder, address);
      } catch (error) {
        if (server.exitCode !== null) throw error;
        await new Promise((resolve) => setTimeout(resolve, 100));
      }
    }
  }

  async end(): Promise<void> {
    const ended = once(this.server, 'exit');
    this.server.kill('SIGINT');
    await ended;
    rmSync(this.folder, { recursive: true, force: true });
  }
}
