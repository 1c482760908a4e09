import { Button, Textarea, TextInput } from '@mantine/core'
import { IconArrowRight } from '@tabler/icons-react'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Notice } from '../../../components/feedback/notice.tsx'
import { useForm } from '../../../components/feedback/use-form.ts'
import { messages } from '../../../messages/index.ts'
import { useCairn } from '../../../session/session.tsx'
import { useApp } from '../../../session/use-app.tsx'
import classes from '../guide.module.css'
import { StepPage } from '../step-page.tsx'
import type { GuideSearch } from '../steps.ts'

const texts = messages.welcome.app
type Props = { appId: string | undefined; onNext: (more?: GuideSearch) => void }

/** Creates an app, or shows the one already created. */
export function AppStep({ appId, onNext }: Props) {
  const [wantsAnother, setWantsAnother] = useState(false)
  if (!appId || wantsAnother) return <NewApp onNext={onNext} />
  return <AppThere appId={appId} onNext={onNext} onAnother={() => setWantsAnother(true)} />
}

function AppThere({ appId, onNext, onAnother }: { appId: string; onNext: () => void; onAnother: () => void }) {
  const { data: app } = useApp(appId)
  return (
    <StepPage
      title={texts.title}
      lead={texts.lead}
      actions={
        <>
          <Button variant="filled" rightSection={<IconArrowRight size={14} aria-hidden />} onClick={() => onNext()}>
            {messages.welcome.continue}
          </Button>
          <Button variant="subtle" onClick={onAnother}>
            {texts.another}
          </Button>
        </>
      }
    >
      {app && (
        <Notice tone="ok" title={texts.there(app.name)}>
          {texts.thereText}
        </Notice>
      )}
    </StepPage>
  )
}

function NewApp({ onNext }: Pick<Props, 'onNext'>) {
  const cairn = useCairn()
  const queries = useQueryClient()
  const [fields, setFields] = useState({ name: '', description: '' })
  const creation = useMutation({
    mutationFn: () => cairn.apps.create(fields),
    onSuccess: async (app) => {
      queries.setQueryData(['app', app.id], { ...app, role: app.role ?? 'owner' })
      queries.setQueryData(['api-key', app.id], app.apiKey)
      await queries.invalidateQueries({ queryKey: ['apps'] })
      onNext({ app: app.id })
    },
  })
  const { form, wrong, rest } = useForm(creation, ['name', 'description'])
  return (
    <form {...form} noValidate>
      <StepPage
        title={texts.title}
        lead={texts.lead}
        actions={
          <Button type="submit" variant="filled" loading={creation.isPending}>
            {texts.create}
          </Button>
        }
      >
        {rest && <Notice tone="err" title={rest} />}
        <TextInput
          className={classes.narrow}
          label={texts.name}
          placeholder={texts.namePlaceholder}
          autoComplete="off"
          required
          maxLength={100}
          value={fields.name}
          error={wrong.name}
          onChange={({ currentTarget: { value } }) => setFields({ ...fields, name: value })}
        />
        <Textarea
          className={classes.narrow}
          label={texts.description}
          placeholder={texts.descriptionPlaceholder}
          required
          maxLength={500}
          rows={3}
          value={fields.description}
          error={wrong.description}
          onChange={({ currentTarget: { value } }) => setFields({ ...fields, description: value })}
        />
      </StepPage>
    </form>
  )
}
