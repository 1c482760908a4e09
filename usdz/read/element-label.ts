/** Labels an element for messages by its index and name: `node 3 "Wheel"`. */
export const elementLabel = (kind: string, index: number, name: unknown): string =>
  typeof name === 'string' && name !== '' ? `${kind} ${index} "${name.slice(0, 100)}"` : `${kind} ${index}`

/** `mesh 3 "Door", primitive 0` */
export const primitiveLabel = (mesh: number, name: unknown, primitive: number): string =>
  `${elementLabel('mesh', mesh, name)}, primitive ${primitive}`
