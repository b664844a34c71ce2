import { translation } from '../catalogue'
import type en from '../en/home'

export default translation<typeof en>({
  projects: 'Miradi',
  find: 'Tafuta mradi',
  found: { one: 'Mradi {n}', other: 'Miradi {n}' },
  forms: { one: 'Fomu {n}', other: 'Fomu {n}' },
  star: 'Weka nyota kwa {name}',
  emptyTitle: 'Bado hakuna mradi',
  emptyAbout: 'Mradi hushikilia fomu, majibu yake, na watu wanaofanya kazi nazo.',
})
