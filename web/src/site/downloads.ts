/** What is done with a download, line by line, for people who see a command line for the first time. */

import type { Download } from './api';

export const SYSTEMS = ['linux', 'macos', 'windows'] as const;
export type System = (typeof SYSTEMS)[number];

type Program = Download & { kind: Extract<Download['kind'], { kind: 'program' }> };
export type Kit = Download & { kind: Extract<Download['kind'], { kind: 'kit' }> };

export const isProgram = (file: Download): file is Program => file.kind.kind === 'program';
export const isKit = (file: Download): file is Kit => file.kind.kind === 'kit';

/** The system that somebody sits at, as far as the browser tells. */
export function systemOf(agent: string): System {
  if (/windows/i.test(agent)) return 'windows';
  return /mac os|macintosh/i.test(agent) ? 'macos' : 'linux';
}

/** In Windows the Linux of WSL runs it. */
const runsOn = (system: System): System => (system === 'windows' ? 'linux' : system);

/** The program for a system: that which the organisers offer for it, or for any. */
export function programFor(files: readonly Download[], system: System): Program | null {
  const programs = files.filter(isProgram);
  const of = (wanted: System | null): Program | undefined =>
    programs.find(({ kind }) => kind.system === wanted);
  return of(system) ?? of(runsOn(system)) ?? of(null) ?? null;
}

/** From the downloads folder to the first match. */
export function firstMatch(program: Program | null, kit: Kit, system: System): string[] {
  // WSL begins in the folder where it is started.
  const lines = system === 'windows' ? ['cd ~/Downloads', 'wsl'] : ['cd ~/Downloads'];
  if (program) lines.push(...install(program, system));
  const folder = kit.file.replace(/\.zip$/, '');
  lines.push(`python3 -m zipfile -e ${kit.file} .`, `cd ${folder}`);
  return [...lines, `${program ? '../palestra' : 'palestra'} ${kit.kind.play}`];
}

function install({ file, kind }: Program, system: System): string[] {
  const name = /[ ()]/.test(file) ? `'${file}'` : file;
  const lines = kind.archive
    ? [/\.zip$/i.test(file) ? `python3 -m zipfile -e ${name} .` : `tar -xf ${name}`]
    : [`mv ${name} palestra`];
  // What a browser has saved may not be run until somebody says so.
  lines.push('chmod +x palestra');
  return system === 'macos' ? [...lines, 'xattr -d com.apple.quarantine palestra'] : lines;
}

/** What checks a file against its checksum. */
export function checkLine({ file, sha256 }: Download, system: System): string {
  const tool = system === 'macos' ? 'shasum -a 256' : 'sha256sum';
  return `echo "${sha256}  ${file}" | ${tool} -c`;
}
