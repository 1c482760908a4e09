import type { Messages } from '../../index.ts'

/** What happened to a player. */
export const timeline: Messages['game']['timeline'] = {
  title: 'Cronología',
  empty: 'Aún no ha pasado nada',
  emptyText: 'Las sesiones, puntuaciones, check-ins, revisiones y cambios aparecen aquí, primero lo más reciente.',
  created: 'Se creó el jugador',
  joined: 'Se unió a',
  score: (score) => `Obtuvo ${score} en`,
  replaced: 'sustituida',
  held: (score) => `Se retuvo una puntuación de ${score} en`,
  accepted: (score) => `Se aceptó una puntuación retenida de ${score} en`,
  rejected: (score) => `Se rechazó una puntuación retenida de ${score} en`,
  checkIn: 'Hizo check-in en',
  checkInHeld: 'Check-in pendiente de revisión en',
  checkInRejected: 'Se rechazó un check-in en',
  points: (points) => (points === '1' ? '+1 punto' : `+${points} puntos`),
  deletedSession: 'una sesión eliminada',
  deletedFence: 'una geocerca eliminada',
  by: 'por',
  charts: 'Puntuaciones por juego',
  best: (best, last) => `mejor: ${best}; última: ${last}`,
  oneScore: 'Una puntuación hasta ahora. El gráfico empieza con la segunda.',
}
