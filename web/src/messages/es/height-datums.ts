import { heightDatumName as commonName } from '../height-datums.ts'

const inWords: Record<string, string> = {
  ellipsoid: 'sobre el elipsoide',
  orthometric: 'sobre el nivel del mar, datum no indicado',
  unknown: 'datum desconocido',
}

/** The Spanish name of a height datum, or its common name or code. */
export const heightDatumName = (datum: string): string => inWords[datum] ?? commonName(datum)
