/** What the documentation's pages say around the documents. */

import type { Code } from '../languages';

export interface DocsWords {
  title: string;
  motto: string;
  about: string;
  picture: string;
  three: string;
  search: string;
  nothing: string;
  contents: string;
  here: string;
  skip: string;
  theme: string;
  copy: string;
  copied: string;
  before: string;
  after: string;
  englishOnly: string;
  missing: string;
  api: string;
  apiAbout: string;
  parameters: string;
  body: string;
  answers: string;
  needed: string;
  tryIt: string;
  send: string;
  key: string;
  notHere: string;
  failed: string;
}

export const WORDS: Record<Code, DocsWords> = {
  en: {
    title: 'Palestra',
    motto: 'The place where programs meet',
    about:
      'Write a bot for a turn-based strategy game in any of thirteen languages, let it fight at home, watch every move, and take it to an arena.',
    picture: 'A match of two bots in the viewer',
    three: 'Three lines to the first fight',
    search: 'Search',
    nothing: 'Nothing was found; try fewer or other words.',
    contents: 'Contents',
    here: 'On this page',
    skip: 'Skip to the text',
    theme: 'Light or dark',
    copy: 'Copy',
    copied: 'Copied',
    before: 'Before this',
    after: 'After this',
    englishOnly: '',
    missing: 'There is no such page. The contents and the search have all there are.',
    api: 'The API, address by address',
    apiAbout:
      'Every address of an arena, from its own description. Where an arena serves these pages, each can be tried out here; with a key, or signed in, you see and do what you may.',
    parameters: 'Parameters',
    body: 'What is sent',
    answers: 'What comes back',
    needed: 'needed',
    tryIt: 'Try it',
    send: 'Send',
    key: 'Key',
    notHere: 'No arena serves these pages, so nothing can be tried out here.',
    failed: 'The arena did not answer; see whether it still runs, and try again.',
  },
  ru: {
    title: 'Palestra',
    motto: 'Место, где встречаются программы',
    about:
      'Напишите бота для пошаговой стратегии на любом из тринадцати языков, дайте ему сразиться дома, посмотрите каждый ход и выведите его на арену.',
    picture: 'Матч двух ботов на странице просмотра',
    three: 'Три строки до первого боя',
    search: 'Поиск',
    nothing: 'Ничего не нашлось; попробуйте меньше слов или другие слова.',
    contents: 'Содержание',
    here: 'На этой странице',
    skip: 'Перейти к тексту',
    theme: 'Светлая или тёмная',
    copy: 'Копировать',
    copied: 'Скопировано',
    before: 'Назад',
    after: 'Дальше',
    englishOnly: 'Эта страница есть только на английском языке.',
    missing: 'Такой страницы нет. Все страницы есть в содержании и в поиске.',
    api: 'API: адрес за адресом',
    apiAbout:
      'Все адреса арены, из её собственного описания (на английском). Если эти страницы открыты с арены, каждый адрес можно попробовать здесь; с ключом или после входа вам видно и доступно то, что вам разрешено.',
    parameters: 'Параметры',
    body: 'Что отправляется',
    answers: 'Что приходит в ответ',
    needed: 'обязательно',
    tryIt: 'Попробовать',
    send: 'Отправить',
    key: 'Ключ',
    notHere: 'Эти страницы открыты не с арены, поэтому попробовать здесь ничего нельзя.',
    failed: 'Арена не ответила; проверьте, работает ли она, и попробуйте ещё раз.',
  },
  hu: {
    title: 'Palestra',
    motto: 'Ahol a programok találkoznak',
    about:
      'Írj botot egy körökre osztott stratégiai játékhoz tizenhárom nyelv bármelyikén, küzdj vele otthon, nézd meg minden lépését, és vidd el egy arénába.',
    picture: 'Két bot meccse a nézőben',
    three: 'Három sor az első küzdelemig',
    search: 'Keresés',
    nothing: 'Nincs találat; próbáld kevesebb vagy más szóval.',
    contents: 'Tartalom',
    here: 'Ezen az oldalon',
    skip: 'Ugrás a szöveghez',
    theme: 'Világos vagy sötét',
    copy: 'Másolás',
    copied: 'Másolva',
    before: 'Előző',
    after: 'Következő',
    englishOnly: 'Ez az oldal csak angolul van meg.',
    missing: 'Nincs ilyen oldal. Minden oldal ott van a tartalomban és a keresőben.',
    api: 'Az API címről címre',
    apiAbout:
      'Egy aréna minden címe, a saját (angol nyelvű) leírásából. Ha ezeket az oldalakat egy aréna szolgálja ki, mindegyiket ki lehet próbálni itt; kulccsal vagy bejelentkezve azt látod és teheted, amit szabad.',
    parameters: 'Paraméterek',
    body: 'Amit küldünk',
    answers: 'Ami visszajön',
    needed: 'kötelező',
    tryIt: 'Próbáld ki',
    send: 'Küldés',
    key: 'Kulcs',
    notHere: 'Ezeket az oldalakat nem egy aréna szolgálja ki, ezért itt semmit sem lehet kipróbálni.',
    failed: 'Az aréna nem válaszolt; nézd meg, fut-e még, és próbáld újra.',
  },
};
