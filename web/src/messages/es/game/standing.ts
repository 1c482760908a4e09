import type { Messages } from '../../index.ts'

export const standing: Messages['game']['standing'] = {
  title: 'Situación',
  all: 'Todos',
  states: { normal: 'Normal', hidden: 'Oculto', banned: 'Bloqueado' },
  players: (n) => `${n} jugadores`,
  hide: 'Ocultar…',
  ban: 'Bloquear…',
  restore: 'Rehabilitar',
  titles: {
    hidden: (who) => `¿Ocultar a ${who}?`,
    banned: (who) => `¿Bloquear a ${who}?`,
    normal: (who) => `¿Rehabilitar a ${who}?`,
  },
  texts: {
    hidden:
      'Sus puntuaciones desaparecen de inmediato de todas las clasificaciones en curso y solo las ve quien las obtuvo, que puede seguir jugando.',
    banned:
      'Sus puntuaciones desaparecen de inmediato de todas las clasificaciones en curso. El servicio rechaza las nuevas puntuaciones y sus tokens de jugador dejan de ser válidos.',
    normal: 'Sus puntuaciones vuelven de inmediato a todas las clasificaciones en curso.',
  },
  verbs: {
    hidden: (who) => `Ocultar a ${who}`,
    banned: (who) => `Bloquear a ${who}`,
    normal: (who) => `Rehabilitar a ${who}`,
  },
  done: {
    hidden: (who) => `Se ocultó a ${who}`,
    banned: (who) => `Se bloqueó a ${who}`,
    normal: (who) => `Se rehabilitó a ${who}`,
  },
  reason: 'Motivo',
  reasonHelp: 'Lo ven los miembros de la aplicación, no el jugador.',
  noReason: 'No se indicó ningún motivo.',
  select: (name) => `Seleccionar a ${name}`,
  selectAll: 'Seleccionar todos los jugadores mostrados',
  selected: (n) => (n === 1 ? '1 seleccionado' : `${n} seleccionados`),
  clear: 'Borrar selección',
  noneOf: { hidden: 'No hay jugadores ocultos', banned: 'No hay jugadores bloqueados', normal: 'No hay jugadores' },
}
