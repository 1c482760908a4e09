import type { Messages } from '../index.ts'

const counted = (count: number, one: string, many: string) =>
  count === 0 ? [] : [`${count} ${count === 1 ? one : many}`]

export const sharedMaps: Messages['sharedMaps'] = {
  sub: 'Un mapa compartido es una página con las zonas, los pines y las clasificaciones que usted elija. Puede abrirla cualquiera que tenga el enlace, y otros sitios web pueden insertarla.',
  list: 'Sus mapas compartidos',
  new: 'Nuevo mapa compartido',
  change: (title) => `Cambiar ${title}`,
  name: 'Título',
  description: 'Descripción',
  descriptionHint: 'Se muestra debajo del título',
  zones: 'Zonas',
  zonesHint: 'Se dibujan sus límites. Máximo 10.',
  pinsInZones: 'Mostrar los pines públicos asignados a estas zonas',
  pins: 'Otros pines',
  pinsHint: 'ID de pines, como 12. Los pines privados no se pueden mostrar.',
  notAnId: (text) => `«${text}» no es el ID de un pin`,
  boards: 'Clasificaciones',
  boardsHint:
    'Muestra los diez primeros jugadores con su nombre y puntuación. Máximo 4, de sus primeras 20 aplicaciones.',
  defaultBoard: (app) => `${app}: juego predeterminado`,
  board: (app, type) => `${app}: ${type}`,
  create: 'Crear mapa',
  save: 'Guardar cambios',
  content: 'Contenido',
  counts: (zones, pins, boards) => {
    const all = [
      ...counted(zones, 'zona', 'zonas'),
      ...counted(pins, 'pin', 'pines'),
      ...counted(boards, 'clasificación', 'clasificaciones'),
    ]
    return all.join(', ') || 'Aún sin contenido'
  },
  changed: 'Cambiado',
  open: (title) => `Abrir ${title}`,
  link: 'el enlace de',
  embed: 'Insertar',
  embedOf: (title) => `Insertar ${title}`,
  embedTitle: (title) => `Insertar ${title} en una página`,
  embedText: 'Pegue esto en el HTML de su página. El mapa no guarda cookies en ella.',
  embedCode: 'el código para insertar el mapa',
  edit: (title) => `Cambiar ${title}`,
  empty: 'Aún no hay mapas compartidos',
  emptyText: 'Cree uno para mostrar un recorrido o un evento a personas sin cuenta.',
  removal: {
    button: 'Eliminar mapa',
    title: (title) => `¿Eliminar el mapa ${title}?`,
    text: 'Su enlace y las páginas que lo insertan dejarán de mostrarlo. Las zonas, los pines y las puntuaciones se conservan.',
    done: (title) => `Se eliminó ${title}`,
    not: 'No se eliminó el mapa',
  },
}
