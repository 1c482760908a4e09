import { PageBody, PageHead } from '../../parts/page-head.tsx'

export const Health = () => (
  <PageBody>
    <PageHead title="Health" />
  </PageBody>
)
