import { translation } from '../catalogue'
import type en from '../en/project-settings'

export default translation<typeof en>({
  about: 'À propos de ce projet',
  name: 'Nom',
  description: 'Description',
  location: 'Lieu',
  locationHint: 'D’où viennent les données : une ville, une région, un pays.',
  category: 'Thème',
  categoryHint: 'Par exemple santé, eau, éducation.',
  save: 'Enregistrer',
  saved: 'Enregistré.',
  visibility: 'Qui peut le voir',
  private: 'Seulement ceux avec qui il est partagé',
  privateAbout: 'Personne d’autre n’apprend qu’il existe.',
  public: 'Tout le monde',
  publicAbout:
    'Même sans compte, on voit son nom, sa description et ses formulaires publics. Les fiches restent fermées, sauf si un formulaire les ouvre.',
  nowPublic: 'Le projet est maintenant public.',
  nowPrivate: 'Le projet est maintenant fermé.',
  labels: 'Étiquettes',
  labelsAbout: 'Des mots pour trouver et grouper les projets.',
  newLabel: 'Nouvelle étiquette',
  add: 'Ajouter',
  removeLabel: 'Retirer l’étiquette {label}',
  labelRemoved: 'L’étiquette « {label} » est retirée.',
  noLabels: 'Pas encore d’étiquette.',
  transfer: 'Le céder à un autre compte',
  transferAbout:
    'Le nouveau propriétaire reçoit tout : formulaires, fiches, et qui peut les voir. Vous ne gardez un accès que s’il le partage avec vous.',
  newOwner: 'Nom d’utilisateur d’une personne ou d’une organisation',
  transferAction: 'Céder',
  transferTitle: 'Céder « {name} » à {owner} ?',
  transferred: '« {name} » appartient maintenant à {owner}.',
  delete: 'Supprimer ce projet',
  deleteAbout: {
    one: 'Son formulaire et toutes ses fiches disparaissent avec lui. C’est définitif.',
    many: 'Ses {n} formulaires et toutes leurs fiches disparaissent avec lui. C’est définitif.',
    other: 'Ses {n} formulaires et toutes leurs fiches disparaissent avec lui. C’est définitif.',
  },
  deleteTitle: 'Supprimer « {name} » ?',
  deleted: '« {name} » est supprimé.',
})
