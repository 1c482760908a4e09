import { newId } from '../../../platform/ids.ts'
import { allowsInside } from '../../../platform/outbound/allowed-hosts.ts'
import { guardedPosts } from '../../../platform/outbound/guarded-post.ts'
import type { Platform } from '../../../platform/platform.ts'
import { ANSWER_BYTES } from './decisions.ts'
import { hookQuestions } from './questions.ts'
import { hookService } from './service.ts'
import { hookStore } from './store.ts'

/** Questions to one address at a time; more wait, within their time. */
const PER_ADDRESS = 64

type Parts = Pick<Platform, 'config' | 'database' | 'audit' | 'network' | 'secrets' | 'metrics' | 'log'>
type ServiceDeps = Parameters<typeof hookService>[0]

/** Hooks that are asked about a score before it is written. */
export function createHooks({ config, database, audit, network, secrets, metrics, log }: Parts) {
  const posts = guardedPosts({
    isInside: (address) => allowsInside(config.CAIRN_WEBHOOK_HOSTS, address),
    network,
    totalMs: config.CAIRN_SCORE_HOOK_SECONDS * 1000,
    keptBytes: ANSWER_BYTES,
    perAddress: PER_ADDRESS,
  })
  const store = hookStore(database.kysely, audit)
  const questions = metrics.counter('cairn_score_hook_questions_total', 'Questions to score hooks, by outcome', [
    'outcome',
  ])
  const asking = hookQuestions({
    posts,
    secrets,
    newId,
    noteFailure: store.noteFailure,
    count: (outcome) => questions.inc({ outcome }),
    onError: (error) => log.warn({ err: error }, 'failed to call a score hook, or to record its failure'),
  })

  return {
    store,
    questions: asking,
    service: (rest: Pick<ServiceDeps, 'types' | 'assertRole' | 'changed'>) =>
      hookService({ ...rest, store, secrets, posts, newId }),
    close() {
      asking.stop()
      posts.close()
    },
  }
}
