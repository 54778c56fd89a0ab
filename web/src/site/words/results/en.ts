/** Who won, in English: podium, report, certificates, projector. */

import type { Forms } from '../../../phrases';

export const results = {
  decider: 'Decider {n}',
  decision: {
    deciders: {
      one: '{n} further match decided, {a} : {b}',
      other: '{n} further matches decided, {a} : {b}',
    } as Forms,
    equal: 'Equal',
    equalAfter: {
      one: 'Equal after {n} further match',
      other: 'Equal after {n} further matches',
    } as Forms,
    score: '{equal}: better score, {a} : {b}',
    seed: '{equal}: better seed, {a} before {b}',
    absence: 'The other one was not there',
  },
  winners: 'Winners',
  winnersOf: 'Winners of {name}',
  winnerOfRound: 'Winner: {names}',
  place: 'place {n}',
  report: 'Report of the event',
  certificates: 'Certificates',
  print: 'Print',
  soFar: 'The event is not over: this is how it stands.',
  ended: 'Ended {when}',
  finalTable: 'Final table',
  overallPoints: 'Points of all scored rounds; equal points: Elo, then the last round',
  roundResults: 'Scored rounds',
  noResults: 'No scored round is over yet.',
  nobody: 'Nobody has a place yet.',
  certificate: {
    title: 'Certificate',
    for: 'This is to certify that',
    took: 'took part in {event}',
    gamePlace: '{game}: place {place} of {all}',
    roundPlace: '{round} ({game}): place {place} of {all}',
    organiser: 'Organiser',
    date: 'Date',
    all: 'All certificates',
    one: 'Certificate of {name}',
    hint: 'One page for each player; print them, or save them as PDF from the print dialog.',
    missing: 'Nobody of this number has a place in the event.',
  },
  projector: {
    next: 'What comes next',
    visit: 'Watch along and join in',
    matches: 'matches played',
    place: 'Place',
    name: 'Player',
  },
};
