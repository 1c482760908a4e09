import type { RuleResult, RuleState } from './rules/rules.ts'

const words: Record<RuleState, string> = {
  passed: 'passed',
  warned: 'warned',
  failed: 'failed',
  unchecked: 'skipped',
}

/** Formats the result of every rule, one per line, followed by its messages, how to repair it, and a summary. */
export function formatRules(name: string, results: readonly RuleResult[]): string {
  const lines = results.flatMap(({ rule, says, state, messages, repair }) => [
    `${words[state].padEnd(8)} ${rule}: ${says}`,
    ...messages.map((message) => `           - ${message}`),
    ...(repair ? [`           To repair: ${repair}`] : []),
  ])
  return `${[...lines, '', summary(name, results)].join('\n')}\n`
}

function summary(name: string, results: readonly RuleResult[]): string {
  const counts = Object.entries(words).map(([state, word]) => ({
    word,
    count: results.filter((result) => result.state === state).length,
  }))
  const others = counts.filter(({ count }) => count > 0)
  const text =
    others.length === 1 ? `all ${others[0]!.word}` : others.map(({ word, count }) => `${count} ${word}`).join(', ')
  return `${name}: ${results.length} rules, ${text}.`
}
