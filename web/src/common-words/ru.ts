/** То, что говорят и просмотр, и сайт, по-русски. */

import type { CommonWords } from './en';

export const common: CommonWords = {
  loading: 'Загрузка…',
  tryAgain: 'Попробовать ещё раз',
  cancel: 'Отмена',
  copy: 'Скопировать',
  copied: 'Скопировано',
  live: 'В ЭФИРЕ',
};
