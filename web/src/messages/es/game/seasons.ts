import type { Messages } from '../../index.ts'

export const seasons: Messages['game']['seasons'] = {
  title: 'Temporadas',
  list: 'Todas las temporadas',
  sub: 'Cada temporada tiene su propia clasificación, con las puntuaciones registradas entre su inicio y su fin.',
  new: 'Nueva temporada',
  name: 'Nombre',
  game: 'Juego',
  state: 'Estado',
  states: { upcoming: 'Próxima', running: 'En curso', ended: 'Finalizada' },
  starts: 'Inicio',
  ends: 'Fin',
  endsHelp: 'Déjelo en blanco si la temporada no tiene fin o se repite sin pausa',
  noEnd: 'sin fin',
  repeats: 'Repetición',
  every: { never: 'No se repite', day: 'Cada día', week: 'Cada semana', month: 'Cada mes' },
  timeZone: 'Zona horaria',
  timeZoneHelp: 'La próxima temporada empieza a la misma hora local de esta zona',
  number: (n) => `n.º ${n}`,
  make: 'Crear temporada',
  save: 'Guardar temporada',
  edit: 'Editar…',
  editOf: (name) => `Editar ${name}`,
  endSeries: 'No repetir después de esta temporada',
  export: 'CSV',
  exportOf: (name) => `Descargar la clasificación de ${name} en CSV`,
  recount: 'Recontar',
  recountOf: (name) => `Recontar ${name}`,
  recounted: (changed) =>
    changed === 0
      ? 'No hay nada que corregir'
      : changed === 1
        ? 'Se corrigió 1 entrada'
        : `Se corrigieron ${changed} entradas`,
  delete: 'Eliminar…',
  deleteOf: (name) => `Eliminar ${name}`,
  deleteTitle: (name) => `¿Eliminar ${name}?`,
  deleteText:
    'Se elimina su clasificación. Las puntuaciones y las demás clasificaciones se conservan. No se puede deshacer.',
  deleteVerb: 'Eliminar temporada',
  actions: 'Acciones',
  empty: 'Aún no hay temporadas',
  emptyText: 'Una temporada puede durar un fin de semana o un año, y celebrarse una vez o repetirse.',
  toBoard: (name) => `Clasificación de ${name}`,
}
