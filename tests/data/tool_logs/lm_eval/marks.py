def process_results(doc, results):
    """Two marks for an answer: one from 1 to 5, and one from 1 to 3."""
    return {"rubric": len(doc["question"]) % 5 + 1, "words": len(results[0]) % 3 + 1}
