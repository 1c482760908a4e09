import { heightDatumName as nameOf } from '../height-datums.ts'

const words: Record<string, string> = {
  ellipsoid: 'über dem Ellipsoid',
  orthometric: 'über Meer, Höhenbezug nicht angegeben',
  unknown: 'Höhenbezug unbekannt',
}

/** The German name of a height datum, or the one that all languages share. */
export const heightDatumName = (datum: string): string => words[datum] ?? nameOf(datum)
