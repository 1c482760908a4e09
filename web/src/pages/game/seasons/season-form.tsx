import type { App, Cairn, Season } from '@cairn/sdk'
import { Checkbox, Modal, Select, TextInput } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { FormActions } from '../../../components/feedback/form-actions.tsx'
import { Notice } from '../../../components/feedback/notice.tsx'
import { useForm } from '../../../components/feedback/use-form.ts'
import { messages } from '../../../messages/index.ts'
import { useMiniGameTypes } from '../mini-games/mini-games.tsx'
import { localOf, momentOf } from './local-time.ts'

const texts = messages.game.seasons
const FIELDS = ['name', 'miniGameTypeId', 'startsAt', 'endsAt']
type Props = { app: App; cairn: Cairn; season: Season | undefined; onClose: () => void }
type Every = 'never' | NonNullable<Season['repeat']>['every']
type Fields = {
  name: string
  game: string
  startsAt: string
  endsAt: string
  every: Every
  timeZone: string
  isSeriesEnded: boolean
}

/** How often a season can repeat, by name. One that is missing does not compile. */
const everyNames: Record<Every, string> = texts.every
const isEvery = (value: string | null): value is Every => value !== null && value in everyNames

/** Creates a season, or changes the name and end of one. */
export function SeasonForm({ isOpen, onClose, season, ...rest }: Props & { isOpen: boolean }) {
  return (
    <Modal opened={isOpen} onClose={onClose} title={season ? season.name : texts.new}>
      <Form key={season?.id ?? 'new'} season={season} onClose={onClose} {...rest} />
    </Modal>
  )
}

function Form({ app, cairn, season, onClose }: Props) {
  const queries = useQueryClient()
  const { data: types = [] } = useMiniGameTypes(app, cairn)
  const [fields, setFields] = useState<Fields>({
    name: season?.name ?? '',
    game: 'default',
    startsAt: localOf(new Date()),
    endsAt: season?.endsAt ? localOf(new Date(season.endsAt)) : '',
    every: 'never',
    timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
    isSeriesEnded: false,
  })
  const set = (change: Partial<Fields>) => setFields({ ...fields, ...change })
  const save = useMutation({
    mutationFn: () => {
      const { name, game, startsAt, endsAt, every, timeZone, isSeriesEnded } = fields
      const end = endsAt === '' ? null : momentOf(endsAt)
      if (season) {
        const isMoved = season.state !== 'ended' && endsAt !== (season.endsAt ? localOf(new Date(season.endsAt)) : '')
        return cairn.seasons.update(season.id, {
          name,
          ...(isMoved && end ? { endsAt: end } : {}),
          ...(isSeriesEnded ? { repeat: null } : {}),
        })
      }
      return cairn.seasons.create({
        name,
        startsAt: momentOf(startsAt),
        ...(end ? { endsAt: end } : {}),
        ...(game === 'default' ? {} : { miniGameTypeId: game }),
        ...(every === 'never' ? {} : { repeat: { every, timeZone } }),
      })
    },
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: ['seasons', app.id] })
      onClose()
    },
  })
  const { form, wrong, rest } = useForm(save, FIELDS)
  return (
    <form className="stack" {...form}>
      <TextInput
        data-autofocus
        required
        label={texts.name}
        value={fields.name}
        error={wrong.name}
        onChange={({ currentTarget: { value } }) => set({ name: value })}
      />
      {!season && (
        <>
          <Select
            label={texts.game}
            data={[
              { value: 'default', label: messages.common.defaultGame },
              ...types.map(({ id, name }) => ({ value: id, label: name })),
            ]}
            value={fields.game}
            error={wrong.miniGameTypeId}
            allowDeselect={false}
            onChange={(game) => set({ game: game ?? 'default' })}
          />
          <TextInput
            type="datetime-local"
            required
            label={texts.starts}
            value={fields.startsAt}
            error={wrong.startsAt}
            onChange={({ currentTarget: { value } }) => set({ startsAt: value })}
          />
        </>
      )}
      {season?.state !== 'ended' && (
        <TextInput
          type="datetime-local"
          label={texts.ends}
          description={season ? undefined : texts.endsHelp}
          value={fields.endsAt}
          error={wrong.endsAt}
          onChange={({ currentTarget: { value } }) => set({ endsAt: value })}
        />
      )}
      {!season && (
        <Select
          label={texts.repeats}
          data={Object.entries(everyNames).map(([value, label]) => ({ value, label }))}
          value={fields.every}
          allowDeselect={false}
          onChange={(every) => set({ every: isEvery(every) ? every : 'never' })}
        />
      )}
      {fields.every !== 'never' && (
        <TextInput
          label={texts.timeZone}
          description={texts.timeZoneHelp}
          value={fields.timeZone}
          onChange={({ currentTarget: { value } }) => set({ timeZone: value })}
        />
      )}
      {season?.repeat && (
        <Checkbox
          label={texts.endSeries}
          checked={fields.isSeriesEnded}
          onChange={({ currentTarget: { checked } }) => set({ isSeriesEnded: checked })}
        />
      )}
      {rest && <Notice tone="err">{rest}</Notice>}
      <FormActions submitLabel={season ? texts.save : texts.make} isBusy={save.isPending} onCancel={onClose} />
    </form>
  )
}
