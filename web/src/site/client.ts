/** The arena's API, one function for each request. */

import { apiPath, ask, get, send, type Part } from '../client';
import type { Filter, OwnFilter } from './address';
import type {
  AccountView,
  AddPlayer,
  BotView,
  ChallengeDetail,
  ChallengeView,
  Control,
  CourseView,
  DownloadList,
  EditorView,
  EventView,
  ImportPreview,
  LogLine,
  MachineView,
  MatchList,
  MatchView,
  Me,
  NewPassword,
  NewToken,
  OpenChallenge,
  OpenTable,
  OwnMatchList,
  PlayOffer,
  PlayerLine,
  PlayerView,
  RoundDetail,
  RoundList,
  Seen,
  SourceView,
  StandingLine,
  TableView,
  TokenView,
  VersionComparison,
  VersionView,
  WorkersView,
} from './api';
import { language } from './language.svelte';
import { detailIn, roundIn } from './texts';

const post = <T>(parts: Part[], body?: unknown): Promise<T> => send('POST', apiPath(parts), body);
const remove = (parts: Part[]): Promise<unknown> => send('DELETE', apiPath(parts));

/** Matches, or rounds, on one page of a list. */
const PAGE = 30;

// What everybody may see.
export const getEvent = (): Promise<EventView> => get(['event']);
export const getStandings = (game: string): Promise<StandingLine[]> => get(['games', game, 'standings']);
/** `players` are those of whom any has to be there. */
export const getMatches = (
  filter: Filter,
  players: number[] | null = null,
  before: number | null = null,
  limit = PAGE,
): Promise<MatchList> => {
  const { game, kind, player, bot, round } = filter;
  return get(['matches'], { game, kind, player, bot, round, players: players?.join(','), before, limit });
};
export const getMatch = (id: number): Promise<MatchView> => get(['matches', id, 'info']);
export const getPlayers = (): Promise<PlayerLine[]> => get(['players']);
export const getPlayer = (id: number): Promise<PlayerView> => get(['players', id]);
export const getBot = (id: number): Promise<BotView> => get(['bots', id]);
export const getComparison = (bot: number, base: number | null): Promise<VersionComparison> =>
  get(['bots', bot, 'comparison'], { base });
export const getEditor = (game: string): Promise<EditorView> => get(['games', game, 'editor']);
export const getDownloads = (): Promise<DownloadList> => get(['downloads']);
// In another language they have other names: whoever shows them asks again.
export async function getRound(id: number): Promise<RoundDetail> {
  const { code } = language;
  return detailIn(code, await get(['rounds', id]));
}
export async function getRounds(before: number | null = null, limit = PAGE): Promise<RoundList> {
  const { code } = language;
  const list = await get<RoundList>(['rounds'], { before, limit });
  return { ...list, rounds: list.rounds.map((round) => roundIn(code, round)) };
}

// Playing by hand.
export const getOffer = (): Promise<PlayOffer> => get(['play']);
export const openTable = (table: OpenTable): Promise<TableView> => post(['play'], table);
/** The secret is in no address, so that it is in no log either. */
export const getTable = (token: string): Promise<TableView> =>
  ask(apiPath(['play', 'table']), { headers: { 'x-palestra-table': token } });
export const acceptInvitation = (token: string): Promise<TableView> => post(['play', 'accept'], { token });
export const playAgain = (token: string): Promise<TableView> => post(['play', 'again'], { token });
export const leaveTable = (token: string): Promise<unknown> => post(['play', 'leave'], { token });

// Courses.
export const getCourse = (game: string): Promise<CourseView> => get(['games', game, 'course']);
export const checkStep = (game: string, step: string): Promise<CourseView> =>
  post(['games', game, 'course', step]);

// Challenges.
export const getChallenges = (): Promise<ChallengeView[]> => get(['challenges']);
export const getChallenge = (id: number): Promise<ChallengeDetail> => get(['challenges', id]);
export const openChallenge = (wanted: OpenChallenge): Promise<ChallengeView> => post(['challenges'], wanted);
export const cancelChallenge = (id: number): Promise<unknown> => remove(['challenges', id]);

// Somebody's own account.
export const signIn = (name: string, password: string): Promise<Me> => post(['login'], { name, password });
export const signOut = (): Promise<unknown> => post(['logout']);
export const signUp = (name: string, password: string, invite: string): Promise<Me> =>
  post(['register'], { name, password, invite });
export const changePassword = (old: string, fresh: string): Promise<unknown> =>
  post(['me', 'password'], { old, new: fresh });
export const getTokens = (): Promise<TokenView[]> => get(['me', 'tokens']);
export const addToken = (label: string): Promise<NewToken> => post(['me', 'tokens'], { label });
export const removeToken = (id: number): Promise<unknown> => remove(['me', 'tokens', id]);
export const getMyBots = (): Promise<BotView[]> => get(['me', 'bots']);
export const getMyMatches = (
  filter: OwnFilter,
  before: number | null = null,
  limit = PAGE,
): Promise<OwnMatchList> =>
  get(['me', 'matches'], { ...filter, unseen: filter.unseen ? 'true' : null, before, limit });
export const markSeen = (seen: Partial<Seen>): Promise<unknown> => post(['me', 'seen'], seen);
export const getFollows = (): Promise<number[]> => get(['me', 'follows']);
export const follow = (id: number): Promise<unknown> => post(['me', 'follows', id]);
export const unfollow = (id: number): Promise<unknown> => remove(['me', 'follows', id]);
export const setNote = (id: number, text: string): Promise<VersionView> =>
  post(['versions', id, 'note'], { text });
export const getSource = (id: number): Promise<SourceView> => get(['versions', id, 'source']);
export const filePath = (id: number): string => apiPath(['versions', id, 'file']);
export const tryVersion = (game: string, file: File, opponent: string): Promise<VersionView> =>
  send(
    'POST',
    apiPath(['games', game, 'trials'], { file: file.name, opponent }),
    file,
    'application/octet-stream',
  );
export const getVersion = (id: number): Promise<VersionView> => get(['versions', id]);
export const activate = (id: number): Promise<VersionView> => post(['versions', id, 'activate']);
export const logPath = (id: number): string => apiPath(['versions', id, 'log']);
export const uploadVersion = (game: string, file: File): Promise<VersionView> =>
  send('POST', apiPath(['games', game, 'versions'], { file: file.name }), file, 'application/octet-stream');

// The organisers.
export const controlEvent = (control: Control): Promise<unknown> => post(['admin', 'event'], control);
export const controlRound = (id: number, control: Control): Promise<unknown> =>
  post(['admin', 'rounds', id], control);
export const voidMatch = (id: number, why: string): Promise<unknown> =>
  post(['admin', 'matches', id, 'void'], { why });
export const rerunMatch = (id: number, why: string): Promise<unknown> =>
  post(['admin', 'matches', id, 'rerun'], { why });
export const announce = (text: string): Promise<unknown> => post(['admin', 'announce'], { text });
export const unannounce = (id: number): Promise<unknown> => remove(['admin', 'announcements', id]);
export const getAccounts = (): Promise<AccountView[]> => get(['admin', 'players']);
export const addPlayer = (player: AddPlayer): Promise<NewPassword> => post(['admin', 'players'], player);
export const previewImport = (table: string | Blob): Promise<ImportPreview> =>
  send('POST', apiPath(['admin', 'players', 'import', 'preview']), table, 'text/csv');
export const importPlayers = (table: string | Blob): Promise<NewPassword[]> =>
  send('POST', apiPath(['admin', 'players', 'import']), table, 'text/csv');
export const resetPassword = (id: number): Promise<NewPassword> => post(['admin', 'players', id, 'reset']);
export const ban = (id: number, banned: boolean): Promise<unknown> =>
  post(['admin', 'players', id, 'ban'], { banned });
export const getWorkers = (): Promise<WorkersView | null> => get(['admin', 'workers']);
export const getMachine = (): Promise<MachineView> => get(['admin', 'machine']);
export const getLog = (before: number | null): Promise<LogLine[]> => get(['admin', 'log'], { before });
