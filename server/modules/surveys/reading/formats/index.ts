import type { SurveyFormat } from '../table.ts'
import { delimited } from './delimited/delimited.ts'

/** Every kind of file that points are read from; the first that knows a file by its beginning reads it. */
export const formats: readonly SurveyFormat[] = [delimited]
