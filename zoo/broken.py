def answer(:
    print("-1")
