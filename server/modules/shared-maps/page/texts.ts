import type { Translated } from '../../../platform/html/languages.ts'

/** Of the page of a shared map. */
export const mapTexts: Translated<
  Record<'areas' | 'places' | 'inAr' | 'rank' | 'player' | 'score' | 'noScores', string>
> = {
  en: {
    areas: 'Areas',
    places: 'Places',
    inAr: 'See in AR',
    rank: 'Rank',
    player: 'Player',
    score: 'Score',
    noScores: 'No scores yet.',
  },
  de: {
    areas: 'Gebiete',
    places: 'Orte',
    inAr: 'In AR ansehen',
    rank: 'Rang',
    player: 'Spieler',
    score: 'Ergebnis',
    noScores: 'Noch keine Ergebnisse.',
  },
  es: {
    areas: 'Zonas',
    places: 'Lugares',
    inAr: 'Ver en RA',
    rank: 'Puesto',
    player: 'Jugador',
    score: 'Puntuación',
    noScores: 'Aún no hay puntuaciones.',
  },
}

/** Where there is no such map. */
export const noMap: Translated<{ title: string; sentence: string }> = {
  en: { title: 'There is no map here', sentence: 'The map was deleted, or the address is wrong.' },
  de: { title: 'Hier ist keine Karte', sentence: 'Die Karte wurde gelöscht, oder die Adresse ist falsch.' },
  es: { title: 'Aquí no hay ningún mapa', sentence: 'El mapa se eliminó, o la dirección es incorrecta.' },
}
