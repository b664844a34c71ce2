import { translation } from '../catalogue'
import type en from '../en/project-activity'

export default translation<typeof en>({
  somebody: 'Quelqu’un sans compte',
  you: 'Vous',
  sent: '{who} : envoi de {records} vers {form}',
  edited: '{who} : modification de {records} dans {form}',
  deleted: '{who} : suppression de {records} dans {form}',
  restored: '{who} : restauration de {records} dans {form}',
  reviewed: '{who} : validation de {records} dans {form}',
  updated: '{who} : nouvelle version de {form}',
  saidOf: '{who} à propos de {form}',
  said: '{who} a écrit',
  other: '{who} : {verb} dans {form}',
  aRecord: 'une fiche',
  records: { one: '{n} fiche', many: '{n} fiches', other: '{n} fiches' },
  aForm: 'un formulaire',
  emptyTitle: 'Rien ne s’est encore passé',
  emptyAbout:
    'Les fiches reçues, les validations, les nouvelles versions de formulaires et ce que les gens écrivent ici.',
  older: 'Afficher ce qui précède',
  write: 'Dire quelque chose aux autres',
  writeHint: 'Toute personne ayant un rôle dans ce projet peut le lire.',
  send: 'Envoyer',
  written: 'C’est envoyé.',
  remove: 'Retirer ce message',
  removed: 'Le message est retiré.',
  today: 'Aujourd’hui',
  yesterday: 'Hier',
})
