import type { Zone } from '@cairn/sdk'
import { Button, Select, TextInput } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { fieldErrors, formError } from '../../components/feedback/field-errors.ts'
import { messages } from '../../messages/index.ts'
import { useCairn } from '../../session/session.tsx'
import classes from './imports.module.css'

const texts = messages.imports.zone

type Props = {
  zones: Zone[]
  isLoaded: boolean
  zone: number | undefined
  onZone: (id: number | undefined) => void
  onMade: (id: number) => void
}

/** Selects a zone or creates one. */
export function ZoneField({ zones, isLoaded, zone, onZone, onMade }: Props) {
  const [isMaking, setIsMaking] = useState(false)
  const [isBack, setIsBack] = useState(false)
  const made = (id: number) => {
    setIsMaking(false)
    setIsBack(false)
    onMade(id)
  }
  const leave = () => {
    setIsMaking(false)
    setIsBack(true)
  }
  if (isMaking) return <NewZone onMade={made} onLeave={leave} />
  return (
    <div className={classes.zone}>
      <Select
        label={texts.label}
        description={texts.how}
        inputWrapperOrder={['label', 'input', 'description']}
        placeholder={isLoaded && zones.length === 0 ? texts.none : texts.choose}
        data={zones.map(({ id, title }) => ({ value: String(id), label: title }))}
        value={zone === undefined ? null : String(zone)}
        onChange={(value) => onZone(value ? Number(value) : undefined)}
        searchable
        nothingFoundMessage={texts.found}
      />
      <Button leftSection={<IconPlus size={14} aria-hidden />} autoFocus={isBack} onClick={() => setIsMaking(true)}>
        {texts.make}
      </Button>
    </div>
  )
}

function NewZone({ onMade, onLeave }: { onMade: (id: number) => void; onLeave: () => void }) {
  const cairn = useCairn()
  const queries = useQueryClient()
  const [title, setTitle] = useState('')
  const make = useMutation({
    mutationFn: () => cairn.zones.create({ title: title.trim() }),
    onSuccess: async ({ id }) => {
      await queries.invalidateQueries({ queryKey: ['zones'] })
      onMade(id)
    },
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    make.mutate()
  }
  return (
    <form className={classes.zone} onSubmit={submit}>
      <TextInput
        label={texts.name}
        description={texts.how}
        inputWrapperOrder={['label', 'input', 'error', 'description']}
        data-autofocus
        autoFocus
        value={title}
        error={fieldErrors(make.error).title ?? formError(make.error, ['title'])}
        onChange={(event) => setTitle(event.currentTarget.value)}
      />
      <Button type="submit" loading={make.isPending} disabled={title.trim() === ''}>
        {texts.create}
      </Button>
      <Button variant="subtle" onClick={onLeave}>
        {messages.common.cancel}
      </Button>
    </form>
  )
}
