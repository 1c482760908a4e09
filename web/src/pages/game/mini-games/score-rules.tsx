import type { MiniGameType } from '@cairn/sdk'
import { NumberInput } from '@mantine/core'
import { messages } from '../../../messages/index.ts'

const texts = messages.game.types
const RULES = ['maxPerMinute', 'maxIncrease', 'minSessionSeconds'] as const
/** The rules of a mini game as form values; empty for no rule. */
export type RuleFields = Record<(typeof RULES)[number], string | number>

export const ruleFieldsOf = (type: MiniGameType | undefined): RuleFields => ({
  maxPerMinute: type?.rules?.maxPerMinute ?? '',
  maxIncrease: type?.rules?.maxIncrease ?? '',
  minSessionSeconds: type?.rules?.minSessionSeconds ?? '',
})

/** The rules of these fields; null without any. Required metadata stays as it is. */
export function rulesOf(fields: RuleFields, type: MiniGameType | undefined): MiniGameType['rules'] {
  const { requireMetadata } = type?.rules ?? {}
  const filled = RULES.filter((rule) => fields[rule] !== '').map((rule) => [rule, Number(fields[rule])])
  const rules = { ...Object.fromEntries(filled), ...(requireMetadata ? { requireMetadata } : {}) }
  return Object.keys(rules).length > 0 ? rules : null
}

/** The rules that hold scores for a review. */
export const ScoreRules = ({ fields, onChange }: { fields: RuleFields; onChange: (fields: RuleFields) => void }) => (
  <fieldset className="plain stack">
    <legend className="small strong">{texts.rules}</legend>
    <p className="small dim">{texts.rulesHelp}</p>
    {RULES.map((rule) => (
      <NumberInput
        key={rule}
        label={texts[rule]}
        value={fields[rule]}
        onChange={(value) => onChange({ ...fields, [rule]: value })}
        min={0}
      />
    ))}
  </fieldset>
)
