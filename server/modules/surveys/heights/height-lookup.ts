import { HttpError } from '../../../platform/errors.ts'
import { exitCause } from '../../../platform/sandbox/worker-process.ts'
import type { SurveyReaders } from '../process/survey-reader.ts'
import type { HeightAnswer, HeightTask } from '../process/survey-tasks.ts'

/** Words that need no register. */
const plainWords = new Set(['ellipsoid', 'unknown'])

/**
 * Resolves a height reference, and converts a height to the ellipsoid if a place is given (metres, degrees on WGS84).
 * PROJ runs in the process that reads survey files. @throws HttpError 503 if no process is available
 */
export const heightLookup =
  ({ heightOf }: Pick<SurveyReaders, 'heightOf'>) =>
  async (datum: string, at: HeightTask['at']): Promise<HeightAnswer> => {
    if (plainWords.has(datum)) return { datum, h: null, transformation: null }
    try {
      return await heightOf(datum, at)
    } catch (error) {
      if (exitCause(error) === undefined) throw error
      throw new HttpError(503, 'The height could not be converted to the ellipsoid: retry the request', {
        'retry-after': '1',
      })
    }
  }
