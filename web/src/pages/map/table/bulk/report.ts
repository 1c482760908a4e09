import { CairnError } from '@cairn/sdk'
import { formatNumber } from '../../../../components/data/format.ts'
import { errorMessage } from '../../../../components/feedback/failure.tsx'
import { messages } from '../../../../messages/index.ts'
import { ChangedByOthers, NoFreeTag } from './changes.ts'
import type { Failed } from './run-bulk.ts'

const texts = messages.map.table.bulk
const NAMED = 3

/** Why a point was not changed, in words. */
function causeOf(error: unknown): string {
  if (error instanceof ChangedByOthers) return texts.causes.changed
  if (error instanceof NoFreeTag) return texts.causes.noTag
  if (error instanceof CairnError && error.status === 404) return texts.causes.gone
  if (error instanceof CairnError && error.status === 403) return texts.causes.forbidden
  if (error instanceof CairnError && error.status === 429) return texts.causes.tooMany
  return errorMessage(error)
}

/** The failures by cause, most frequent first: a sentence and the points. @param verb what did not happen, with how many of how many and why */
export function sentencesOf<Item extends { title: string }>(
  failed: Failed<Item>[],
  total: number,
  verb: (some: string, all: string, cause: string) => string,
) {
  const causes = Map.groupBy(failed, ({ error }) => causeOf(error))
  return [...causes]
    .sort(([, a], [, b]) => b.length - a.length)
    .map(([cause, some]) => {
      const titles = some.slice(0, NAMED).map(({ item }) => item.title)
      const more = some.length - titles.length
      return {
        sentence: verb(formatNumber(some.length), formatNumber(total), cause),
        titles: more > 0 ? texts.andMore(titles.join(', '), formatNumber(more)) : titles.join(', '),
      }
    })
}
