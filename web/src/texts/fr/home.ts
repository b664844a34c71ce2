import { translation } from '../catalogue'
import type en from '../en/home'

export default translation<typeof en>({
  projects: 'Projets',
  find: 'Trouver un projet',
  found: { one: '{n} projet', many: '{n} projets', other: '{n} projets' },
  forms: { one: '{n} formulaire', many: '{n} formulaires', other: '{n} formulaires' },
  star: 'Marquer {name} comme favori',
  emptyTitle: 'Pas encore de projet',
  emptyAbout: 'Un projet réunit des formulaires, leurs réponses et les personnes qui travaillent avec.',
})
