// How the search of the site ranks its results. An exact match of a page's search words (docs/_ext/search_words.py) has
// a score of 50 to 100, a word of a title 15 and a word of the text 5; to these, points are added here.

// By kind of page: what to do comes before what was measured, and the changelog comes last.
const POINTS_OF_PAGES = [
  ["project/changelog", -40],
  ["project/", -4],
  ["generated/", -3],
  ["evidence/", -2],
  ["explanation/", 1],
  ["gallery/", 1],
  ["measures/index", 1],
  ["measures/", 2],
  ["reference/references", -3],
  ["reference/", 2],
  ["", 3], // tutorials, how-tos, and pages that stand alone
];

// The words that were searched for, and those of each page's search words by phrase, as stems: both are made once.
let asked = null;
let phrases = null;

const stems = (text) => {
  const stemmer = new Stemmer();
  return splitQuery(text.toLowerCase())
    .filter((word) => !stopwords.has(word))
    .map((word) => stemmer.stemWord(word));
};

const phrasesOf = (docname) => {
  if (phrases === null) {
    phrases = new Map();
    for (const [entry, places] of Object.entries(Search._index.indexentries)) {
      for (const [file] of places) {
        const name = Search._index.docnames[file];
        if (!phrases.has(name)) phrases.set(name, []);
        phrases.get(name).push(new Set(stems(entry)));
      }
    }
  }
  return phrases.get(docname) || [];
};

// Other forms and orders of a page's search words: "confidence intervals", "table in latex".
const pointsOfWords = (docname) => {
  const query = new URLSearchParams(window.location.search).get("q") || "";
  asked = asked === null ? stems(query) : asked;
  if (!asked.length) return 0;
  const own = phrasesOf(docname);
  if (own.some((phrase) => asked.every((word) => phrase.has(word)))) return 40;
  return asked.every((word) => own.some((phrase) => phrase.has(word))) ? 15 : 0;
};

var Scorer = {
  score: ([docname, , , , score, , kind]) => {
    const [, points] = POINTS_OF_PAGES.find(([start]) => docname.startsWith(start));
    return score + points + (kind === "text" ? pointsOfWords(docname) : 0);
  },
  objNameMatch: 11,
  objPartialMatch: 6,
  objPrio: { 0: 15, 1: 5, 2: -5 },
  objPrioDefault: 0,
  title: 15,
  partialTitle: 7,
  term: 5,
  partialTerm: 2,
};
