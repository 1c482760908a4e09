import { Button, TextInput } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Notice } from '../../components/feedback/notice.tsx'
import { useForm } from '../../components/feedback/use-form.ts'
import { PageBody, PageHeader } from '../../components/layout/page-header.tsx'
import { Panel } from '../../components/layout/panel.tsx'
import { messages } from '../../messages/index.ts'
import { useCairn } from '../../session/session.tsx'

const texts = messages.accounts.password
const NONE = { current: '', next: '', again: '' }

/** Changes the password of the signed-in user. */
export function Password() {
  const cairn = useCairn()
  const { data: user } = useQuery({ queryKey: ['me'], queryFn: ({ signal }) => cairn.user.get({ signal }) })
  const [typed, setTyped] = useState(NONE)
  const [isDifferent, setIsDifferent] = useState(false)
  const change = useMutation({
    mutationFn: () => cairn.user.changePassword({ currentPassword: typed.current, newPassword: typed.next }),
    onSuccess: () => setTyped(NONE),
  })
  const submit = () => {
    const differs = typed.next !== typed.again
    setIsDifferent(differs)
    if (!differs) change.mutate()
  }
  const { form, wrong, rest } = useForm({ error: change.error, mutate: submit }, ['currentPassword', 'newPassword'])
  const field = (name: keyof typeof NONE) => ({
    type: 'password',
    required: true,
    value: typed[name],
    onChange: ({ currentTarget: { value } }: { currentTarget: { value: string } }) => {
      setTyped((before) => ({ ...before, [name]: value }))
      setIsDifferent(false)
      change.reset()
    },
  })
  return (
    <PageBody>
      <PageHeader title={messages.shell.pages.password} sub={texts.sub} />
      <Panel>
        <form className="stack" style={{ maxWidth: '24rem' }} {...form} noValidate>
          {change.isSuccess && <Notice tone="ok" title={texts.changed} />}
          {rest && (
            <Notice tone="err" title={texts.not}>
              {rest}
            </Notice>
          )}
          {/* So that password managers know whose password it is. */}
          <input type="text" name="username" autoComplete="username" value={user?.username ?? ''} readOnly hidden />
          <TextInput
            label={texts.current}
            autoComplete="current-password"
            error={wrong.currentPassword}
            {...field('current')}
          />
          <TextInput
            label={texts.next}
            description={texts.nextHint}
            autoComplete="new-password"
            error={wrong.newPassword}
            {...field('next')}
          />
          <TextInput
            label={texts.again}
            autoComplete="new-password"
            error={isDifferent && texts.differ}
            {...field('again')}
          />
          <div>
            <Button type="submit" variant="filled" loading={change.isPending}>
              {texts.change}
            </Button>
          </div>
        </form>
      </Panel>
    </PageBody>
  )
}
