import { lazyRouteComponent } from '@tanstack/react-router'
import { withTexts } from './language/translate.ts'
import type { Area } from './messages/index.ts'

/** A page that is loaded on demand, after the texts that it reads. @param areas those beside `common` and `shell` */
export const page = <Module extends Record<string, unknown>, Name extends keyof Module & string>(
  load: () => Promise<Module>,
  name: Name,
  ...areas: Area[]
) => lazyRouteComponent(withTexts(load, ...areas), name)
