/** Ki nyert: dobogó, összefoglaló, oklevelek, kivetítő. */

import type { results as en } from './en';

export const results: typeof en = {
  decider: '{n}. ráadás',
  decision: {
    deciders: {
      one: '{n} ráadásmeccs döntött, {a} : {b}',
      other: '{n} ráadásmeccs döntött, {a} : {b}',
    },
    equal: 'Egyenlő',
    equalAfter: {
      one: '{n} ráadásmeccs után is egyenlő',
      other: '{n} ráadásmeccs után is egyenlő',
    },
    score: '{equal}: jobb játékpontszám, {a} : {b}',
    seed: '{equal}: jobb kiemelés, {a} a(z) {b} előtt',
    absence: 'Az ellenfél nem volt ott',
  },
  winners: 'Győztesek',
  winnersOf: 'Győztesek: {name}',
  winnerOfRound: 'Győztes: {names}',
  place: '{n}. hely',
  report: 'A verseny összefoglalója',
  certificates: 'Oklevelek',
  print: 'Nyomtatás',
  soFar: 'A verseny még tart: ez a jelenlegi állás.',
  ended: 'Véget ért: {when}',
  finalTable: 'Végeredmény',
  overallPoints: 'Az összes pontozott forduló pontjai; egyenlőségnél az Élő-pont, majd az utolsó forduló',
  roundResults: 'Pontozott fordulók',
  noResults: 'Még egyetlen pontozott forduló sem ért véget.',
  nobody: 'Még senkinek sincs helyezése.',
  certificate: {
    title: 'Oklevél',
    for: 'Ezennel igazoljuk, hogy',
    took: 'részt vett a következő versenyen: {event}',
    gamePlace: '{game}: {place}. hely {all} közül',
    roundPlace: '{round} ({game}): {place}. hely {all} közül',
    organiser: 'Szervező',
    date: 'Dátum',
    all: 'Minden oklevél',
    one: '{name} oklevele',
    hint: 'Játékosonként egy oldal; nyomtasd ki, vagy mentsd PDF-be a nyomtatási ablakból.',
    missing: 'Ilyen számú játékosnak nincs helyezése a versenyen.',
  },
  projector: {
    next: 'Mi következik',
    visit: 'Nézd és játssz te is',
    matches: 'lejátszott meccsek',
    place: 'Hely',
    name: 'Játékos',
  },
};
