// The start page itself has its address in the shell: it is another page for those who are signed in. Here is what the palette
// finds of it.
import type { RouteRecordRaw } from 'vue-router'
import { keptProjects } from '@/api/projects-kept'
import { folder } from '@/look/icons'
import type { PaletteSource } from '@/parts/palette'
import { useTexts } from '@/texts'
import en from '@/texts/en/home'

const t = useTexts(en)

export const routes: RouteRecordRaw[] = []

export const palette: PaletteSource[] = [
  {
    name: 'projects',
    label: () => t('projects'),
    find: async () =>
      (await keptProjects()).map(({ projectid, name, owner }) => ({
        id: `project-${projectid}`,
        label: name,
        about: owner.split('/').at(-1),
        icon: folder,
        to: `/projects/${projectid}`,
      })),
  },
]
