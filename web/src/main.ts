import '@fontsource-variable/ibm-plex-sans/wght.css'
import '@fontsource/ibm-plex-mono/latin-400.css'
import '@fontsource/ibm-plex-mono/latin-500.css'
import './theme/mantine-parts.css'
import './theme/tokens.css'
import './theme/base.css'
import './theme/mantine.css'
import './theme/forced-colours.css'
import { translate } from './language/translate.ts'
import { messages } from './messages/index.ts'

await translate(messages)
const { start } = await import('./start.tsx')
start()
