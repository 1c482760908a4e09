import type { ServingProcesses } from '../../../../platform/processes/serving-processes.ts'
import type { Ranks } from '../ranks.ts'

export type Calls = Omit<Ranks['calls'], 'settled'>

/** The writes of scores that serving processes leave to the coordinator. */
export const CALLS: Record<keyof Calls, true> = {
  save: true,
  saveGroup: true,
  saveBatch: true,
  importBatch: true,
  saveJudged: true,
  review: true,
  correct: true,
  removeFromSession: true,
  deleteSession: true,
  deletePlayer: true,
  move: true,
  setStanding: true,
  refreshSegments: true,
  setAttributes: true,
}

/** Answers the serving processes for ranks and writes of scores, in the coordinator. */
export function rankForServing(serving: ServingProcesses, { boards, calls, writer, load }: Ranks): void {
  serving.answer('ranks.above', boards.above)
  serving.answer('ranks.size', boards.size)
  serving.answer('ranks.load', load)
  serving.answer('ranks.unload', boards.unload)
  serving.answer('ranks.forget', boards.forget)
  serving.answer('scores.write', writer.save)
  for (const name of Object.keys(CALLS) as (keyof Calls)[]) serving.answer(`scores.${name}`, calls[name])
}
