// A judge without a model: it marks from 1 to 5 by the length of what it reads.
module.exports = class {
  id() { return 'made-up-judge'; }
  async callApi(prompt) {
    const score = (prompt.length % 5) + 1;
    return { output: JSON.stringify({ reason: 'made up', score, pass: score >= 3 }) };
  }
};
