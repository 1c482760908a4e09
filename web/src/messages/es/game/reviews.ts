import type { Messages } from '../../index.ts'

export const reviews: Messages['game']['reviews'] = {
  title: 'Revisiones',
  list: 'Puntuaciones y check-ins retenidos',
  sub: 'Puntuaciones que infringieron una regla de su minijuego y check-ins dudosos. No cuentan en ninguna clasificación hasta que usted los acepte.',
  state: 'Estado',
  states: { held: 'Por revisar', accepted: 'Aceptadas', rejected: 'Rechazadas' },
  player: 'Jugador',
  score: 'Puntuación o puntos',
  current: 'Puntuación actual',
  why: 'Motivo',
  session: 'Sesión o geocerca',
  sent: 'Envío',
  decision: 'Decisión',
  reasons: {
    maxPerMinute: 'Más puntuaciones en un minuto de las permitidas',
    maxIncrease: 'Mucho mejor que la mejor puntuación hasta ahora',
    minSessionSeconds: 'Demasiado pronto después de unirse a la sesión',
    requireMetadata: 'Faltan metadatos',
    hook: 'El hook de puntuaciones la retuvo o no respondió',
    mocked: 'Posición fijada con una herramienta de desarrollo',
    fix_differs: 'Posición lejos del lugar donde se tomó la foto',
    shared_fix: 'La misma posición que varios jugadores',
  },
  accept: 'Aceptar',
  reject: 'Rechazar',
  of: {
    score: {
      accept: (name) => `Aceptar la puntuación de ${name}`,
      accepted: (name) => `La puntuación de ${name} ya cuenta`,
      reject: (name) => `Rechazar la puntuación de ${name}`,
      rejected: (name) => `Se rechazó la puntuación de ${name}`,
    },
    check_in: {
      accept: (name) => `Aceptar el check-in de ${name}`,
      accepted: (name) => `El check-in de ${name} ya cuenta`,
      reject: (name) => `Rechazar el check-in de ${name}`,
      rejected: (name) => `Se rechazó el check-in de ${name}`,
    },
  },
  none: { held: 'No hay nada que revisar', accepted: 'No se ha aceptado nada', rejected: 'No se ha rechazado nada' },
  noneText:
    'Defina reglas en un minijuego, y las puntuaciones que infrinjan alguna esperarán aquí. También los check-ins dudosos en geocercas.',
  toRules: 'Minijuegos',
  // The English text has its two words as its type.
}
