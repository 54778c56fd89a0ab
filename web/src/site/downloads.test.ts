import { describe, expect, test } from 'vitest';
import type { Download } from './api';
import { checkLine, firstMatch, isKit, programFor, systemOf } from './downloads';

const file = (name: string, kind: Download['kind']): Download => ({
  file: name,
  href: `/downloads/${name}`,
  bytes: 1,
  sha256: 'abc',
  kind,
});
const program = (name: string, system: 'linux' | 'macos' | 'windows' | null, archive: boolean): Download =>
  file(name, { kind: 'program', system, processor: null, archive });
const kit = file('chess-python.zip', {
  kind: 'kit',
  game: 'chess',
  language: 'Python',
  main: 'chess.py',
  play: 'play chess ./chess.py random --watch',
});

describe('the program for a system', () => {
  const files = [program('palestra-linux', 'linux', false), program('palestra-mac.zip', 'macos', true), kit];

  test('is that of the system, and that of Linux inside of Windows', () => {
    expect(programFor(files, 'macos')?.file).toBe('palestra-mac.zip');
    expect(programFor(files, 'linux')?.file).toBe('palestra-linux');
    expect(programFor(files, 'windows')?.file).toBe('palestra-linux');
    expect(programFor([program('palestra.tar', null, true)], 'macos')?.file).toBe('palestra.tar');
    expect(programFor([kit], 'linux')).toBeNull();
  });

  test('is unpacked, made to run, and plays the kit', () => {
    if (!isKit(kit)) throw new Error('a kit');
    expect(firstMatch(programFor(files, 'linux'), kit, 'linux')).toEqual([
      'cd ~/Downloads',
      'mv palestra-linux palestra',
      'chmod +x palestra',
      'python3 -m zipfile -e chess-python.zip .',
      'cd chess-python',
      '../palestra play chess ./chess.py random --watch',
    ]);
    const mac = firstMatch(programFor(files, 'macos'), kit, 'macos');
    expect(mac).toContain('xattr -d com.apple.quarantine palestra');
    expect(firstMatch(programFor(files, 'windows'), kit, 'windows')[1]).toBe('wsl');
    expect(firstMatch(null, kit, 'linux').at(-1)).toBe('palestra play chess ./chess.py random --watch');
  });
});

test('systems are told by browsers', () => {
  expect(systemOf('Mozilla/5.0 (Windows NT 10.0; Win64; x64)')).toBe('windows');
  expect(systemOf('Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7)')).toBe('macos');
  expect(systemOf('Mozilla/5.0 (X11; Linux x86_64)')).toBe('linux');
});

test('checksums are checked by what the system has', () => {
  expect(checkLine(kit, 'macos')).toBe('echo "abc  chess-python.zip" | shasum -a 256 -c');
  expect(checkLine(kit, 'linux')).toContain('| sha256sum -c');
});
