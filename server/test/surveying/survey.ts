import { createReadStream } from 'node:fs'
import {
  type Detected,
  readSurvey,
  type SurveyItem,
  type SurveyOptions,
} from '../../modules/surveys/parser/read-survey.ts'
import type { SurveyPoint } from '../../modules/surveys/parser/rows/point.ts'

type Of<K extends SurveyItem['kind']> = Extract<SurveyItem, { kind: K }>

/** Everything that a survey file yields, by kind. */
export type Survey = {
  detected: Detected
  points: SurveyPoint[]
  lines: number[]
  faulty: Of<'faulty'>[]
  repeats: Of<'repeat'>[]
  warnings: Of<'warning'>[]
  notices: Of<'notice'>[]
}

/** The measured height of a point, in metres; null without one. */
export const measured = ({ h, altitude, heightDatum }: SurveyPoint): number | null =>
  heightDatum === 'ellipsoid' ? h : altitude

/** Reads a text (or bytes, in chunks of `pieceSize`) as a survey file. */
export async function surveyOf(
  content: string | Uint8Array,
  options: SurveyOptions = {},
  pieceSize = 7,
): Promise<Survey> {
  return collect(inPieces(typeof content === 'string' ? Buffer.from(content) : content, pieceSize), options)
}

/** Reads one of the files in fixtures/gcp. */
export async function surveyFile(name: string, options: SurveyOptions = {}): Promise<Survey> {
  return collect(createReadStream(new URL(`../fixtures/gcp/${name}`, import.meta.url)), options)
}

async function* inPieces(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}

async function collect(bytes: AsyncIterable<Uint8Array>, options: SurveyOptions): Promise<Survey> {
  const items: SurveyItem[] = []
  for await (const item of readSurvey(bytes, options)) items.push(item)
  const of = <K extends SurveyItem['kind']>(kind: K) => items.filter((item): item is Of<K> => item.kind === kind)
  return {
    detected: of('detected').at(-1)!.detected,
    points: of('point').map(({ point }) => point),
    lines: of('point').map(({ line }) => line),
    faulty: of('faulty'),
    repeats: of('repeat'),
    warnings: of('warning'),
    notices: of('notice'),
  }
}
