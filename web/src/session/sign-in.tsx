import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { messages } from '../messages/index.ts'
import { loadSettings, type Settings } from './console-settings.ts'
import { SignInCard } from './sign-in-card.tsx'

const texts = messages.shell.signIn

/** Starts a sign-in, or explains why it is not possible. */
export function SignIn() {
  const settings = useQuery({ queryKey: ['settings'], queryFn: loadSettings })
  if (settings.error)
    return (
      <SignInCard title={messages.common.failed} text={messages.common.noAnswer}>
        <Button onClick={() => void settings.refetch()}>{messages.common.tryAgain}</Button>
      </SignInCard>
    )
  if (!settings.data) return <SignInCard title={texts.title} />
  return <Way settings={settings.data} />
}

function Way({ settings: { signIn, needsFirstAdmin, publicUrl } }: { settings: Settings }) {
  if (!signIn) return <SignInCard title={texts.nobody} text={texts.nobodyHow} />
  if (needsFirstAdmin) return <SignInCard title={texts.firstAdmin} text={texts.firstAdminHow} />
  if (new URL(publicUrl).origin !== location.origin)
    return (
      <SignInCard title={texts.elsewhere(publicUrl)} text={texts.elsewhereHow}>
        <a href={`${publicUrl}/console/`}>{texts.elsewhereLink}</a>
      </SignInCard>
    )

  return <Start signIn={signIn} />
}

/** What pages outside the console add to its address for a sign-in that starts by itself. */
const AT_ONCE = '#sign-in'

function Start({ signIn }: { signIn: NonNullable<Settings['signIn']> }) {
  const [refusal, setRefusal] = useState<string | null>(null)
  const [isLeaving, setIsLeaving] = useState(false)
  const hasStarted = useRef(false)

  const go = () => {
    setIsLeaving(true)
    const { pathname, search, hash } = location
    const backTo = pathname.replace(/^\/console/, '') + search + (hash === AT_ONCE ? '' : hash) || '/'
    // Loaded on demand because signed-in users do not need it.
    import('./oidc.ts')
      .then(({ startSignIn }) => startSignIn(signIn, backTo))
      .catch((error: Error) => {
        setIsLeaving(false)
        setRefusal(error.message)
      })
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the page is opened
  useEffect(() => {
    if (location.hash !== AT_ONCE || hasStarted.current) return
    hasStarted.current = true
    go()
  }, [])
  return (
    <SignInCard title={texts.title} text={refusal ? `${texts.refused}: ${refusal}` : texts.lead}>
      <Button variant="filled" onClick={go} loading={isLeaving}>
        {texts.button}
      </Button>
    </SignInCard>
  )
}
