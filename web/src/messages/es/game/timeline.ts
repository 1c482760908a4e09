import type { Messages } from '../../index.ts'

/** What happened to a player. */
export const timeline: Messages['game']['timeline'] = {
  title: 'Cronología',
  empty: 'Aún no ha pasado nada',
  emptyText: 'Las sesiones, puntuaciones, check-ins, revisiones y cambios aparecen aquí, primero lo más reciente.',
  created: 'Se creó el jugador',
  joined: (session) => `Se unió a ${session}`,
  score: (score, session) => `Obtuvo ${score} en ${session}`,
  replaced: 'sustituida',
  held: (score, session) => `Se retuvo una puntuación de ${score} en ${session}`,
  accepted: (score, session) => `Se aceptó la puntuación retenida de ${score} en ${session}`,
  rejected: (score, session) => `Se rechazó la puntuación retenida de ${score} en ${session}`,
  checkIn: (fence) => `Hizo check-in en ${fence}`,
  checkInHeld: (fence) => `Un check-in en ${fence} está pendiente de revisión`,
  checkInRejected: (fence) => `Se rechazó un check-in en ${fence}`,
  points: (points) => (points === '1' ? '+1 punto' : `+${points} puntos`),
  deletedSession: 'una sesión eliminada',
  deletedFence: 'una geocerca eliminada',
  change: (action, actor) => `${action} por ${actor}`,
  charts: 'Puntuaciones por juego',
  best: (best, last) => `mejor: ${best}; última: ${last}`,
  oneScore: 'Una puntuación hasta ahora. El gráfico empieza con la segunda.',
}
